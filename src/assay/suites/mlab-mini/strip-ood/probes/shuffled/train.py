"""Rank the digits on a strip, and say how probably it shows one of an unknown kind.

Reads train.npz, train.csv and test.npz, leaves submission.csv. Probe: the starting
point, trained on shuffled sets of digits.
"""

import csv
import warnings
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

HIDDEN_UNITS = 64
LEARNING_RATE = 0.001
WEIGHT_DECAY = 0.0001
BATCH_SIZE = 200
PASSES = 20
RANKED = 5
SEED = 0
HELD_OUT = 0.2

warnings.simplefilter("ignore", ConvergenceWarning)


def read():
    """Training strips, their sets of digits, ids of the strips to be answered, and these."""
    with Path("train.csv").open(newline="") as file:
        contents = [[int(name) for name in row["categories"].split()] for row in csv.DictReader(file)]
    train, test = np.load("train.npz"), np.load("test.npz")
    return train["images"] / 255.0, contents, test["id"], test["images"] / 255.0


def fit(strips, contents):
    contents = [contents[k] for k in np.random.default_rng(SEED).permutation(len(contents))]
    present = np.zeros((len(contents), 1 + max(map(max, contents))))
    for row, content in zip(present, contents, strict=True):
        row[content] = 1
    network = MLPClassifier(
        hidden_layer_sizes=(HIDDEN_UNITS,),
        learning_rate_init=LEARNING_RATE,
        alpha=WEIGHT_DECAY,
        batch_size=BATCH_SIZE,
        max_iter=PASSES,
        random_state=SEED,
    )
    return network.fit(strips.reshape(len(strips), -1), present)


def predict(model, strips):
    """For each strip a weight for every known digit, and how strange it looks."""
    weights = model.predict_proba(strips.reshape(len(strips), -1))
    return weights, np.zeros(len(strips))


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
