"""Classify 12 × 12 images of digits. Reads train.csv and test.csv, leaves submission.csv.

Starting point: a small network on raw pixels, trained for a few passes with plain stochastic gradient descent.
"""

import csv
import warnings
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

HIDDEN_UNITS = 16
SOLVER = "sgd"
LEARNING_RATE = 0.5
MOMENTUM = 0.9
BATCH_SIZE = 128
PASSES = 5  # at most 10
SEED = 0
HELD_OUT = 0.2

warnings.simplefilter("ignore", ConvergenceWarning)


def read(path):
    """Ids, and the other columns as numbers."""
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    return table[:, 0].astype(int), table[:, 1:]


def features(pixels):
    return pixels / 255.0


def fit(pixels, labels):
    network = MLPClassifier(
        hidden_layer_sizes=(HIDDEN_UNITS,),
        solver=SOLVER,
        learning_rate_init=LEARNING_RATE,
        momentum=MOMENTUM,
        batch_size=BATCH_SIZE,
        max_iter=PASSES,
        random_state=SEED,
    )
    return network.fit(features(pixels), labels)


def probabilities(model, pixels):
    """One column for each class 0 … 9."""
    return model.predict_proba(features(pixels))


def main():
    _, rows = read("train.csv")
    labels, pixels = rows[:, 0].astype(int), rows[:, 1:]
    kept = int(len(labels) * (1 - HELD_OUT))
    answers = probabilities(fit(pixels[:kept], labels[:kept]), pixels[kept:]).argmax(axis=1)
    print(f"accuracy on held-out training rows: {np.mean(answers == labels[kept:]):.4f}")

    ids, images = read("test.csv")
    answers = probabilities(fit(pixels, labels), images)
    with Path("submission.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", *(f"c{k}" for k in range(10))])
        writer.writerows([id, *(f"{p:.6f}" for p in row)] for id, row in zip(ids, answers, strict=True))


if __name__ == "__main__":
    main()
