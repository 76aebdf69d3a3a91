"""Trusted side of negation-sentiment: reviews in a made-up language, in which "not" turns a word round."""

import random
from functools import cache

import numpy as np

from assay.tasks.files import as_csv, as_files, numbers_of, table_of
from assay.tasks.grader import Grade, InvalidOutput

SECRET = {"words": 350_914_127, "train": 812_660_743, "val": 49_180_331, "test": 715_302_989}
TRAIN, ROWS = 2000, 1000
POSITIVE = 0.55
LEANING, NEUTRAL = 120, 400
AGREES, DISAGREES = 0.60, 0.16
NEGATED, STRESSED = 0.30, 0.5
IDS = [str(TRAIN + number) for number in range(ROWS)]


def prepare(split, seed):
    texts, labels = _reviews(TRAIN, f"{SECRET['train']}/{seed}")
    train = as_csv({"id": range(TRAIN), "text": texts, "label": labels})
    return as_files({"train.csv": train, "test.csv": as_csv({"id": IDS, "text": _evaluation(split)[0]})})


def grade(outputs, split, seed):
    table = table_of(outputs, "submission.csv", IDS, ["positive"])
    answers = numbers_of(table, "positive", "submission.csv")
    off = (answers < 0) | (answers > 1)
    if off.any():
        raise InvalidOutput(f"submission.csv, id '{IDS[off.argmax()]}': positive must be a probability, 0 … 1")
    _, truth = _evaluation(split)
    return Grade({"accuracy": float(np.mean((answers > 0.5) == np.array(truth)))})


@cache
def _evaluation(split):
    return _reviews(ROWS, str(SECRET[split]))


@cache
def _words():
    """Words that praise, words that blame, words that do neither, and how often each of the first two occurs."""
    syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
    rng = random.Random(SECRET["words"])
    found = {}
    while len(found) < 2 * LEANING + NEUTRAL:
        found["".join(rng.choices(syllables, k=rng.randint(2, 3)))] = None
    words = list(found)
    weights = [1 / rank for rank in range(1, LEANING + 1)]
    return words[:LEANING], words[LEANING : 2 * LEANING], words[2 * LEANING :], weights


def _reviews(rows, seed):
    """Texts and labels; the share of positive ones is exact, so that a constant answer is worth the same everywhere."""
    rng = random.Random(seed)
    labels = [int(number < POSITIVE * rows) for number in range(rows)]
    rng.shuffle(labels)
    return [" . ".join(_clause(label, rng) for _ in range(rng.randint(4, 9))) for label in labels], labels


def _clause(label, rng):
    praise, blame, neutral, weights = _words()
    words = rng.choices(neutral, k=rng.randint(2, 5))
    kind = rng.random()
    if kind < AGREES + DISAGREES:
        meant = label if kind < AGREES else 1 - label
        negated = rng.random() < NEGATED
        words += ["not"] if negated else ["very"] if rng.random() < STRESSED else []
        words += rng.choices(praise if meant != negated else blame, weights)
    return " ".join(words)
