"""Trusted side of unlearning_open_unlearning: is the returned model like one that never saw the forgotten facts?

The reference models stay here, and so do the wrong values with which truth ratios are formed.
"""

from functools import cache
from pathlib import Path

import numpy as np
from scipy.special import log_softmax
from scipy.stats import ks_2samp

from assay.tasks.expect import numbers
from assay.tasks.grader import Grade, InvalidOutput

SECRET = {"questions": 350_672_819, "order": 88_104_277}
FORGOTTEN, QUESTIONS = 12, 120
BASES = 3
LARGEST = 1e3
SMALLEST_P = 1e-300


def conduct(perform, split, seed):
    """Each base model is unlearnt in a process of its own. Nothing that goes in depends on the split."""
    X, y, forgotten = _facts()
    outputs = {}
    for base in range(BASES):
        full = _model("full", base)
        rng = np.random.default_rng([SECRET["order"], seed, base])
        forget, retain = (rng.permutation(np.flatnonzero(part)) for part in (forgotten, ~forgotten))
        inputs = {f"weights{k}": w for k, w in enumerate(full)}
        inputs |= {"forget_X": X[forget], "forget_y": y[forget], "retain_X": X[retain], "retain_y": y[retain]}
        answers = perform({**inputs, "seed": int(rng.integers(2**31))})
        for k, weights in enumerate(full):
            outputs[f"base{base}_weights{k}"] = numbers(answers, f"weights{k}", weights.shape)
            if np.abs(outputs[f"base{base}_weights{k}"]).max() > LARGEST:
                raise InvalidOutput(f"weights must lie within ±{LARGEST:g}")
    return outputs


def grade(outputs, split, seed):
    _, y, forgotten = _facts()
    forget = np.flatnonzero(forgotten)
    order = np.random.default_rng(SECRET["questions"]).permutation(len(forget))
    questions = forget[order[:QUESTIONS] if split == "val" else order[QUESTIONS : 2 * QUESTIONS]]
    surprise, kept, remembered = [], [], []
    for base in range(BASES):
        full, reference = _model("full", base), _model("retained", base)
        model = [numbers(outputs, f"base{base}_weights{k}", w.shape) for k, w in enumerate(full)]
        p = ks_2samp(_truth_ratios(model, questions), _truth_ratios(reference, questions)).pvalue
        surprise.append(-np.log10(max(p, SMALLEST_P)))
        kept.append(_utility(model) / _utility(full))
        remembered.append(np.mean(_log_probabilities(model)[questions].argmax(axis=1) == y[questions]))
    spread = float(np.std(surprise, ddof=1) / np.sqrt(BASES))
    quality = float(10.0 ** -np.mean(surprise))
    return Grade(
        metrics={
            "forget_quality_mean": quality,
            "neg_log10_p_mean": float(np.mean(surprise)),
            "utility_kept_mean": float(np.mean(kept)),
            "forget_acc_mean": float(np.mean(remembered)),
        },
        # the quality is a geometric mean: its error follows from that of the logarithm
        stderrs={"forget_quality_mean": quality * float(np.log(10.0)) * spread, "neg_log10_p_mean": spread},
    )


@cache
def _arrays():
    with np.load(Path(__file__).parent / "models.npz", allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


@cache
def _model(kind, base):
    return [_arrays()[f"{kind}{base}_{k}"].astype(np.float64) for k in range(4)]


@cache
def _facts():
    """Questions (latent numbers, relation, entity), true values, and which of them are to be forgotten."""
    latent, truth = _arrays()["latent"], _arrays()["truth"].astype(np.int64)
    entities, relations = truth.shape
    X = np.concatenate(
        [
            np.repeat(latent, relations, axis=0),
            np.tile(np.eye(relations), (entities, 1)),
            np.repeat(np.eye(entities), relations, axis=0),
        ],
        axis=1,
    )
    return X, truth.ravel(), np.repeat(np.arange(entities), relations) >= entities - FORGOTTEN


def _log_probabilities(weights):
    X, _, _ = _facts()
    hidden = np.maximum(X @ weights[0] + weights[1], 0.0)
    return log_softmax(hidden @ weights[2] + weights[3], axis=1)


def _truth_ratios(weights, questions):
    """Logarithm of: geometric mean probability of five wrong values over probability of the true one."""
    _, y, _ = _facts()
    wrong = _arrays()["wrong"].reshape(len(y), -1).astype(np.int64)[questions]
    logs = _log_probabilities(weights)[questions]
    # rounded, because the test compares ranks and must not hang on the last digits of a sum
    return np.round(
        np.take_along_axis(logs, wrong, axis=1).mean(axis=1) - logs[np.arange(len(questions)), y[questions]], 9
    )


def _utility(weights):
    """Geometric mean probability of the truth over the facts that are to be kept."""
    _, y, forgotten = _facts()
    return float(np.exp(_log_probabilities(weights)[np.arange(len(y)), y][~forgotten].mean()))
