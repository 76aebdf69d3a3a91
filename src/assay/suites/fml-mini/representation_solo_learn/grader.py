"""Trusted side of representation_solo_learn: repeats the training with the candidate's gradients and probes the encoder.

Neither labelled nor evaluation rows ever enter the sandbox, and the number of updates is bounded here, not by politeness.
"""

import importlib.util
from functools import cache
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from assay.tasks.expect import numbers
from assay.tasks.grader import Grade, InvalidOutput

SECRET = {"world": 914_205_661, "pairs": 36_118_927, "labelled": 655_291_043, "val": 418_830_557, "test": 770_462_389}
CLASSES, SIGNAL, NUISANCE, FEATURES = 20, 10, 20, 80
PAIRS, LABELLED_POOL, LABELLED, ROWS = 2000, 800, 400, 750
REPEATS = 3
WHOLE = {"steps": (1, 300), "batch_size": (2, 256), "outputs": (1, 64)}
REAL = {"learning_rate": (0.0, 1.0), "weight_decay": (0.0, 1.0), "noise": (0.0, 10.0), "mask": (0.0, 1.0)}


def conduct(perform, split, seed):
    """Three trainings with seeds of their own. Nothing that goes in depends on the split."""
    view1, view2 = _pairs()
    outputs = {}
    for repeat in range(REPEATS):
        answers = perform({"view1": view1, "view2": view2, "seed": _training_seed(seed, repeat)})
        config = _checked(answers.get("config"))
        shape = (config["steps"], 2, config["batch_size"], config["outputs"])
        outputs |= {f"config{repeat}": config, f"gradients{repeat}": numbers(answers, "gradients", shape)}
    return outputs


def grade(outputs, split, seed):
    rows, truth = _labelled(ROWS, SECRET[split])
    pool, pool_truth = _labelled(LABELLED_POOL, SECRET["labelled"])
    values = []
    for repeat in range(REPEATS):
        training_seed = _training_seed(seed, repeat)
        weights = _repeated(outputs[f"config{repeat}"], outputs[f"gradients{repeat}"], training_seed)
        draw = np.random.default_rng([SECRET["labelled"], seed, repeat]).permutation(LABELLED_POOL)[:LABELLED]
        inner = _training().hidden(weights, pool[draw])
        centre, scale = inner.mean(axis=0), inner.std(axis=0) + 1e-6
        probe = LogisticRegression(C=0.05, max_iter=300).fit((inner - centre) / scale, pool_truth[draw])
        values.append(np.mean(probe.predict((_training().hidden(weights, rows) - centre) / scale) == truth))
    return Grade(
        metrics={"linear_eval_acc_mean": float(np.mean(values))},
        stderrs={"linear_eval_acc_mean": float(np.std(values, ddof=1) / np.sqrt(REPEATS))},
    )


def _repeated(config, gradients, training_seed):
    """The encoder that the candidate's gradients lead to. Raises InvalidOutput if they lead nowhere."""
    weights = _training().train(_pairs(), config, training_seed, lambda step, z1, z2: gradients[step])
    if not all(np.isfinite(w).all() for w in weights):
        raise InvalidOutput("the training diverged: the weights are no longer finite numbers")
    return weights


@cache
def _training():
    """The trusted copy of the training that the candidate's process uses too."""
    file = Path(__file__).parent / "workspace" / "training.py"
    spec = importlib.util.spec_from_file_location("assay_solo_learn_training", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _training_seed(seed, repeat):
    return int(np.random.default_rng([SECRET["pairs"], seed, repeat]).integers(2**31))


def _checked(config):
    """The settings as numbers. Raises InvalidOutput for anything else."""
    if not isinstance(config, dict) or set(config) != {"decay", *WHOLE, *REAL}:
        raise InvalidOutput(f"config() must return exactly these keys: decay, {', '.join([*WHOLE, *REAL])}")
    if config["decay"] not in list(_training().DECAYS):
        raise InvalidOutput(f"decay must be one of {', '.join(_training().DECAYS)}")
    for name, (low, high) in WHOLE.items():
        if type(config[name]) is not int or not low <= config[name] <= high:
            raise InvalidOutput(f"{name} must be a whole number {low} … {high}")
    for name, (low, high) in REAL.items():
        if type(config[name]) not in (int, float) or not low <= config[name] <= high:
            raise InvalidOutput(f"{name} must be a number {low:g} … {high:g}")
    return config


@cache
def _world():
    """Class means in signal space, and how signal and nuisance show in the features."""
    rng = np.random.default_rng(SECRET["world"])
    means = 1.3 * rng.normal(size=(CLASSES, SIGNAL))
    shows_signal = rng.normal(size=(SIGNAL, FEATURES)) / np.sqrt(SIGNAL)
    shows_nuisance = rng.normal(size=(NUISANCE, FEATURES)) / np.sqrt(NUISANCE)
    return means, shows_signal, shows_nuisance


def _signals(count, rng):
    means, _, _ = _world()
    truth = rng.integers(CLASSES, size=count)
    return means[truth] + 0.7 * rng.normal(size=(count, SIGNAL)), truth


def _view(signals, rng):
    """What is seen of the signals through nuisance that is drawn anew for each view."""
    _, shows_signal, shows_nuisance = _world()
    nuisance = 2.0 * rng.normal(size=(len(signals), NUISANCE))
    seen = np.tanh(0.7 * (signals @ shows_signal + nuisance @ shows_nuisance))
    return seen + 0.1 * rng.normal(size=seen.shape)


@cache
def _pairs():
    rng = np.random.default_rng(SECRET["pairs"])
    signals, _ = _signals(PAIRS, rng)
    return _view(signals, rng), _view(signals, rng)


@cache
def _labelled(count, secret):
    rng = np.random.default_rng(secret)
    signals, truth = _signals(count, rng)
    return _view(signals, rng), truth
