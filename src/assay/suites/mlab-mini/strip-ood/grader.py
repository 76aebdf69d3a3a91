"""Trusted side of strip-ood: strips of up to three digits, labelled as a whole; some hold a digit nobody was shown."""

from functools import cache

import numpy as np

from assay.tasks.digits import digits
from assay.tasks.files import as_csv, as_files, as_npz, numbers_of, table_of
from assay.tasks.grader import Grade, InvalidOutput

SECRET = {"rows": 145_803_671, "train": 920_467_183, "val": 573_190_267, "test": 30_682_949}
POOL, OTHERS = 1000, 398
"""Digits that training strips are made of, and those of each evaluation split."""
TRAIN, ROWS, STRANGE = 1500, 600, 240
SHARES = np.array([0.22, 0.19, 0.16, 0.14, 0.12, 0.10, 0.07])
"""How frequent the known digits 0 … 6 are; 7, 8 and 9 are in no training strip."""
KNOWN, ALL = len(SHARES), 10
SLOTS, SIDE, CELL, NOISE = 3, 8, 12, 0.08
RANKED = 5
IDS = [str(TRAIN + number) for number in range(ROWS)]


def prepare(split, seed):
    rng = np.random.default_rng([SECRET["train"], seed])
    images, contents = _strips(TRAIN, 0, np.arange(POOL), rng)
    labels = {"id": range(TRAIN), "categories": [" ".join(map(str, sorted(set(content)))) for content in contents]}
    strips = as_npz(id=np.array([int(id) for id in IDS]), images=_evaluation(split)[0])
    return as_files({"train.npz": as_npz(images=images), "train.csv": as_csv(labels), "test.npz": strips})


def grade(outputs, split, seed):
    table = table_of(outputs, "submission.csv", IDS, ["categories", "osd"])
    ranked = [_ranking(id, text) for id, text in zip(IDS, table["categories"], strict=True)]
    strangeness = numbers_of(table, "osd", "submission.csv")
    _, contents = _evaluation(split)
    known = [{digit for digit in content if digit < KNOWN} for content in contents]
    strange = np.array([max(content) >= KNOWN for content in contents])
    precision = np.mean([_precision(row, truth) for row, truth in zip(ranked, known, strict=True) if truth])
    area = _area(strangeness[strange], strangeness[~strange])
    return Grade({"score": float((precision + 2 * area - 1) / 2), "map_at_5": float(precision), "auc": float(area)})


def _ranking(id, text):
    names = text.split(" ") if text else []
    if not 1 <= len(names) <= RANKED or len(set(names)) != len(names):
        raise InvalidOutput(f"submission.csv, id '{id}': categories must be 1 to {RANKED} different digits")
    if any(len(name) != 1 or name not in "0123456789" for name in names):
        raise InvalidOutput(f"submission.csv, id '{id}': categories are '{text[:50]}', must be digits 0 … 9 and spaces")
    return [int(name) for name in names]


def _precision(ranked, truth):
    """Average precision of one strip: the mean over its digits of the precision at the place where each is named."""
    hits = [place for place, name in enumerate(ranked, start=1) if name in truth]
    return sum(number / place for number, place in enumerate(hits, start=1)) / len(truth)


def _area(strange, usual):
    """The share of pairs in which the strip with the unknown digit has the higher value; a tie is one half."""
    above = strange[:, None] > usual[None, :]
    return np.mean(above + 0.5 * (strange[:, None] == usual[None, :]))


@cache
def _rows():
    """All digits in a secret order: first those of training, then those of val, then those of test."""
    images, labels = digits()
    order = np.random.default_rng(SECRET["rows"]).permutation(len(labels))
    return images[order].reshape(-1, SIDE, SIDE), labels[order]


@cache
def _evaluation(split):
    start = POOL + (0 if split == "val" else OTHERS)
    return _strips(ROWS, STRANGE, np.arange(start, start + OTHERS), np.random.default_rng(SECRET[split]))


def _strips(rows, strange, pool, rng):
    """Images, and the digits in each; in the `strange` first of a shuffled order one digit is of an unknown kind."""
    images, labels = _rows()
    of_kind = [pool[labels[pool] == digit] for digit in range(ALL)]
    strips = np.zeros((rows, CELL, SLOTS * CELL))
    contents = []
    for strip, odd in zip(strips, rng.permutation(rows) < strange, strict=True):
        slots = rng.permutation(SLOTS)[: rng.integers(1, SLOTS + 1)]
        content = rng.choice(KNOWN, size=len(slots), p=SHARES)
        if odd:
            content[0] = rng.integers(KNOWN, ALL)
        for slot, digit in zip(slots, content, strict=True):
            top, left = rng.integers(CELL - SIDE + 1, size=2)
            place = strip[top : top + SIDE, slot * CELL + left : slot * CELL + left + SIDE]
            place[:] = images[rng.choice(of_kind[digit])]
        contents.append(content.tolist())
    noisy = np.clip(strips + rng.normal(0.0, NOISE, strips.shape), 0.0, 1.0)
    return np.rint(255 * noisy).astype(np.uint8), contents
