"""Trusted side of progression-synth: a disease that worsens at a pace of its own, and proteins that betray it.

A patient of the evaluation is known up to one visit only, so that no answer can lean on what came later.
"""

from functools import cache

import numpy as np

from assay.tasks.files import as_csv, as_files, numbers_of, table_of
from assay.tasks.grader import Grade, InvalidOutput

SECRET = {"proteins": 702_581_933, "train": 95_340_721, "val": 388_127_049, "test": 641_970_583}
TRAIN, PATIENTS = 120, 80
MONTHS = np.array([0, 6, 12, 18, 24, 36, 48, 60, 72, 84])
LAST = 60
"""The last month at which a patient of the evaluation may be seen."""
ATTENDED = 0.85
HORIZONS = (0, 6, 12, 24)
SCORES = {"score_1": 40, "score_2": 45, "score_3": 80, "score_4": 15}
"""The highest value of each score."""
BASE = np.array([1.9, 1.9, 2.9, 0.2])
GAIN = np.array([[0.45, 0.10], [0.50, 0.25], [0.35, 0.45], [0.20, 0.80]])
RATE = np.array([0.004, 0.005, 0.004, 0.008])
DRIFT = np.array([0.006, 0.008])
PROTEINS, TELLING, LOADING, PROTEIN_NOISE = 30, 12, 0.6, 0.35
VISITS = (1, 2, 3, 4)
"""How many visits of an evaluation patient are shown; each number is as frequent, so val and test have as many rows."""


def prepare(split, seed):
    return as_files({**_training(seed), **_evaluation(split)[0]})


def grade(outputs, split, seed):
    _, ids, truth = _evaluation(split)
    answers = numbers_of(table_of(outputs, "submission.csv", ids, ["rating"]), "rating", "submission.csv")
    if (answers < 0).any():
        raise InvalidOutput(f"submission.csv, id '{ids[(answers < 0).argmax()]}': a rating cannot be negative")
    return Grade({"smape": float(smape(answers, truth))})


def smape(answers, truth):
    """Symmetric mean absolute percentage error; 1 is added below, so that scores of 0 can be answered."""
    return 100 * np.mean(np.abs(answers - truth) / ((answers + truth) / 2 + 1))


@cache
def _loadings():
    """How strongly each protein follows the two severities: the same for every seed and split."""
    rng = np.random.default_rng(SECRET["proteins"])
    loadings = np.zeros((2, PROTEINS))
    loadings[0, : TELLING // 2] = rng.normal(size=TELLING // 2)
    loadings[1, TELLING // 2 : TELLING] = rng.normal(size=TELLING // 2)
    return LOADING * loadings[:, rng.permutation(PROTEINS)]


class _Patient:
    """Two severities and a pace, drawn once; scores and proteins of any month, with noise of their own."""

    def __init__(self, rng):
        self._rng = rng
        self._severity = rng.normal(size=2)
        self._pace = np.exp(rng.normal(0.0, 0.5))

    def expected(self, month):
        return np.exp(BASE + GAIN @ self._severity + RATE * month * self._pace) - 0.5

    def scores(self, month):
        mean = self.expected(month)
        return np.clip(np.rint(self._rng.normal(mean, 0.12 * mean + 0.5)), 0, list(SCORES.values())).astype(int)

    def proteins(self, month):
        level = (self._severity + DRIFT * month * self._pace) @ _loadings()
        return np.round(100 * np.exp(level + self._rng.normal(0.0, PROTEIN_NOISE, PROTEINS)), 2)


def _training(seed):
    """Every visit that took place, with its scores and its proteins."""
    rng = np.random.default_rng([SECRET["train"], seed])
    visits, scores, proteins = [], [], []
    for number in range(TRAIN):
        patient = _Patient(rng)
        for month in MONTHS[rng.random(len(MONTHS)) < ATTENDED]:
            visits.append((number, month))
            scores.append(patient.scores(month))
            proteins.append(patient.proteins(month))
    columns = dict(zip(SCORES, np.array(scores).T, strict=True))
    return {
        "train_clinical.csv": as_csv({**_visits(visits), **columns}),
        "train_proteins.csv": as_csv({**_visits(visits), **_proteins(proteins)}),
    }


@cache
def _evaluation(split):
    """The files of a split, the ids of the questions, and the answers."""
    rng = np.random.default_rng(SECRET[split])
    visits, proteins, questions, truth = [], [], [], []
    for number in range(TRAIN, TRAIN + PATIENTS):
        patient = _Patient(rng)
        shown = np.sort(rng.choice(MONTHS[MONTHS <= LAST], VISITS[number % len(VISITS)], replace=False))
        visits += [(number, month) for month in shown]
        proteins += [patient.proteins(month) for month in shown]
        for horizon in HORIZONS:
            questions += [(number, shown[-1], horizon, name) for name in SCORES]
            truth += list(patient.scores(shown[-1] + horizon))
    ids = [f"{number}_{month}_{name}_plus_{horizon}" for number, month, horizon, name in questions]
    columns = zip(("patient", "month", "horizon", "score"), zip(*questions, strict=True), strict=True)
    files = {
        "test.csv": as_csv({"id": ids, **dict(columns)}),
        "test_proteins.csv": as_csv({**_visits(visits), **_proteins(proteins)}),
    }
    return files, ids, np.array(truth)


def _visits(visits):
    return {"patient": [number for number, _ in visits], "month": [month for _, month in visits]}


def _proteins(levels):
    return {f"P{number:02d}": column for number, column in enumerate(np.array(levels).T)}
