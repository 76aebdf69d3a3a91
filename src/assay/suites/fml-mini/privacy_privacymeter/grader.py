"""Trusted side of privacy_privacymeter: four models on known halves of a data set, attacked by a membership inference.

The attack is RMIA with one reference model: how much more likely is a row's label under the target than under a model that has
not seen the row, compared with rows that no model has seen.
"""

from functools import cache

import numpy as np
from sklearn.metrics import roc_auc_score

from assay.tasks.expect import probabilities
from assay.tasks.grader import Grade

SECRET = {"data": 330_418_771, "val": 650_207_893, "test": 127_554_901}
CLASSES, FEATURES, SPREAD, MISLABELLED = 5, 30, 0.42, 0.1
AUDITED, POPULATION = 1200, 800
MODELS = 4
OFFLINE = 0.3
"""RMIA's coefficient that turns the probability under a reference without the row into one averaged over both."""


def conduct(perform, split, seed):
    """Each model is trained and asked in a process of its own; it is asked about all rows in random order."""
    rows, labels = _data()
    outputs = {}
    for model, members in enumerate(_memberships(split, seed)):
        rng = np.random.default_rng([SECRET[split], seed, model])
        own = rng.permutation(np.flatnonzero(members))
        order = rng.permutation(len(rows))
        inputs = {"X": rows[own], "y": labels[own], "X_eval": rows[order], "seed": _candidate_seed(seed, model)}
        answers = probabilities(perform(inputs), "probabilities", len(rows), CLASSES)
        outputs[f"probabilities{model}"] = answers[np.argsort(order)]
    return outputs


def grade(outputs, split, seed):
    rows, labels = _data()
    members = _memberships(split, seed)
    answers = np.array([probabilities(outputs, f"probabilities{k}", len(rows), CLASSES) for k in range(MODELS)])
    confidence = answers[:, np.arange(len(rows)), labels]
    audited, population = confidence[:, :AUDITED], confidence[:, AUDITED:]
    attacks = [_attack(k, audited, population, members) for k in range(MODELS)]
    auc = [roc_auc_score(members[k], attacks[k]) for k in range(MODELS)]
    caught = [_caught_at_one_percent(members[k], attacks[k]) for k in range(MODELS)]
    right = answers.argmax(axis=2)[:, :AUDITED] == labels[:AUDITED]
    accuracy = [right[k][~members[k]].mean() for k in range(MODELS)]
    return Grade(
        metrics={
            "AUC_gap_mean": float(abs(np.mean(auc) - 0.5)),
            "tpr_at_1_percent_fpr_mean": float(np.mean(caught)),
            "accuracy_mean": float(np.mean(accuracy)),
        },
        stderrs={
            "AUC_gap_mean": float(np.std(auc, ddof=1) / np.sqrt(MODELS)),
            "accuracy_mean": float(np.std(accuracy, ddof=1) / np.sqrt(MODELS)),
        },
    )


@cache
def _data():
    """Gaussian classes with some labels replaced at random: audited rows first, then the population."""
    rng = np.random.default_rng(SECRET["data"])
    means = SPREAD * rng.normal(size=(CLASSES, FEATURES))
    count = AUDITED + POPULATION
    labels = rng.integers(CLASSES, size=count)
    rows = means[labels] + rng.normal(size=(count, FEATURES))
    labels = np.where(rng.random(count) < MISLABELLED, rng.integers(CLASSES, size=count), labels)
    return rows, labels


def _memberships(split, seed):
    """Two random halvings of the audited rows: models 0 and 1 share one, models 2 and 3 the other."""
    rng = np.random.default_rng([SECRET[split], seed])
    members = np.zeros((MODELS, AUDITED), dtype=bool)
    for first in range(0, MODELS, 2):
        half = rng.permutation(AUDITED)[: AUDITED // 2]
        members[first, half] = True
        members[first + 1] = ~members[first]
    return members


def _candidate_seed(seed, model):
    """The same for val and test, because it must not tell them apart."""
    return int(np.random.default_rng([SECRET["data"], seed, model]).integers(2**31))


def _attack(target, audited, population, members):
    """One number for each audited row, larger for suspected members. Monotone in RMIA's score and free of its ties."""
    references = [2, 3] if target < 2 else [0, 1]
    unseen = np.where(members[references[0]], audited[references[1]], audited[references[0]])
    ratio = audited[target] / _prior(unseen)
    beaten = population[target] / _prior(population[references].mean(axis=0))
    # RMIA counts how many rows of the population have a smaller ratio; the ratio itself breaks the ties of that count
    return np.searchsorted(np.sort(beaten), ratio) + ratio / (1.0 + ratio)


def _prior(unseen):
    return (1 + OFFLINE) / 2 * unseen + (1 - OFFLINE) / 2


def _caught_at_one_percent(members, attack):
    return np.mean(attack[members] > np.quantile(attack[~members], 0.99))
