"""Trusted side of citation-sbm: papers with weak features that mostly cite earlier papers of their own field."""

from functools import cache

import numpy as np

from assay.tasks.files import as_csv, as_files, table_of
from assay.tasks.grader import Grade, InvalidOutput

SECRET = {"fields": 190_447_823, "train": 560_031_977, "val": 884_512_309, "test": 37_269_551}
CLASSES, FEATURES = 8, 32
TRAIN, ROWS = 1200, 600
SEPARATION, NOISE = 0.55, 1.6
CITATIONS, OWN_FIELD = 6, 0.62
DIGITS = 4
IDS = [str(TRAIN + number) for number in range(ROWS)]


def prepare(split, seed):
    _, fields = _world()
    rng = np.random.default_rng([SECRET["train"], seed])
    train = {"id": range(TRAIN), "label": fields, **_features(fields, rng)}
    edges = np.concatenate([_citations(fields, 1, rng), _evaluation(split)[2]])
    test = {"id": IDS, **_evaluation(split)[0]}
    papers = {"train.csv": as_csv(train), "test.csv": as_csv(test)}
    return as_files({**papers, "edges.csv": as_csv({"citing": edges[:, 0], "cited": edges[:, 1]})})


def grade(outputs, split, seed):
    answers = table_of(outputs, "submission.csv", IDS, ["label"])["label"]
    for id, text in zip(IDS, answers, strict=True):
        if text not in _NAMES:
            raise InvalidOutput(f"submission.csv, id '{id}': label '{text[:50]}' is not one of 0 … {CLASSES - 1}")
    truth = _evaluation(split)[1]
    return Grade({"accuracy": float(np.mean([_NAMES[text] for text in answers] == truth))})


_NAMES = {str(label): label for label in range(CLASSES)}


@cache
def _world():
    """What a field's features are around, and the fields of the training papers: the same for every seed and split."""
    rng = np.random.default_rng(SECRET["fields"])
    return rng.normal(0.0, SEPARATION, (CLASSES, FEATURES)), rng.integers(CLASSES, size=TRAIN)


@cache
def _evaluation(split):
    """Features, fields and citations of the papers that came after the training papers."""
    _, earlier = _world()
    rng = np.random.default_rng(SECRET[split])
    fields = rng.integers(CLASSES, size=ROWS)
    return _features(fields, rng), fields, _citations(np.concatenate([earlier, fields]), TRAIN, rng)


def _features(fields, rng):
    centres, _ = _world()
    values = np.round(centres[fields] + rng.normal(0.0, NOISE, (len(fields), FEATURES)), DIGITS)
    return {f"f{number}": column for number, column in enumerate(values.T)}


def _citations(fields, first, rng):
    """Pairs (citing, cited) of the papers from `first` on; each cites earlier ones, mostly of its own field.

    How many there are in all is fixed, so that val and test look alike; how they are shared out is chance.
    """
    citing = np.sort(rng.integers(first, len(fields), size=CITATIONS * (len(fields) - first)))
    places = [np.flatnonzero(fields == label) for label in range(CLASSES)]
    cited = rng.integers(citing)
    for edge in np.flatnonzero(rng.random(len(citing)) < OWN_FIELD):
        own = places[fields[citing[edge]]]
        before = np.searchsorted(own, citing[edge])
        if before:
            cited[edge] = own[rng.integers(before)]
    return np.column_stack([citing, cited])
