"""Rank the digits on a strip, and say how probably it shows one of an unknown kind.

Reads train.npz, train.csv and test.npz, leaves submission.csv. Each third of a
strip is aligned and classified by itself, by a support vector machine that learns from strips with one kind of digit;
a strip is as strange as its least certain cell.
"""

import csv
from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from sklearn.svm import SVC

SLOTS, SIDE = 3, 8
BRIGHT, INK = 12, 0.55
PENALTY = 10.0
RANKED = 5
HELD_OUT = 0.2


def read():
    """Training strips, their sets of digits, ids of the strips to be answered, and these."""
    with Path("train.csv").open(newline="") as file:
        contents = [[int(name) for name in row["categories"].split()] for row in csv.DictReader(file)]
    train, test = np.load("train.npz"), np.load("test.npz")
    return train["images"] / 255.0, contents, test["id"], test["images"] / 255.0


def cells(strip):
    """The brightest 8 × 8 window of each third of a strip that has something on it."""
    found = []
    for third in np.split(strip, SLOTS, axis=1):
        if np.sort(third.ravel())[-BRIGHT:].mean() > INK:
            windows = sliding_window_view(third, (SIDE, SIDE)).reshape(-1, SIDE * SIDE)
            found.append(windows[windows.sum(axis=1).argmax()])
    return found


def single(strips, contents):
    """Cells of the strips on which there is one kind of digit only: of these the label of each cell is known."""
    known = [
        (cell, content[0])
        for strip, content in zip(strips, contents, strict=True)
        if len(content) == 1
        for cell in cells(strip)
    ]
    return np.array([cell for cell, _ in known]), np.array([digit for _, digit in known])


def fit(strips, contents):
    return SVC(C=PENALTY).fit(*single(strips, contents))


def predict(model, strips):
    """For each strip a weight for every known digit, and how strange it looks."""
    parts = [cells(strip) or [np.zeros(SIDE * SIDE)] for strip in strips]
    sure = model.decision_function(np.concatenate(parts))
    each = np.split(sure, np.cumsum([len(part) for part in parts])[:-1])
    return np.array([part.max(axis=0) for part in each]), np.array([-part.max(axis=1).min() for part in each])


def precision(ranked, content):
    """Average precision of one strip."""
    hits = [place for place, name in enumerate(ranked, start=1) if name in content]
    return sum(number / place for number, place in enumerate(hits, start=1)) / len(content)


def main():
    strips, contents, ids, asked = read()
    kept = int(len(strips) * (1 - HELD_OUT))
    weights, _ = predict(fit(strips[:kept], contents[:kept]), strips[kept:])
    ranked = np.argsort(-weights, axis=1)[:, :RANKED]
    found = np.mean([precision(list(row), truth) for row, truth in zip(ranked, contents[kept:], strict=True)])
    print(f"MAP@{RANKED} on held-out training strips: {found:.4f}; no unknown digits there to measure the other half")

    weights, strangeness = predict(fit(strips, contents), asked)
    ranked = np.argsort(-weights, axis=1)[:, :RANKED]
    with Path("submission.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "categories", "osd"])
        rows = zip(ids, ranked, strangeness, strict=True)
        writer.writerows([id, " ".join(map(str, row)), f"{value:.6f}"] for id, row, value in rows)


if __name__ == "__main__":
    main()
