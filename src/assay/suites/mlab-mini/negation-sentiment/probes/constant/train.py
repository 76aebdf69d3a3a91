"""Say whether a review is positive. Reads train.csv and test.csv, leaves submission.csv.

Probe: every review is positive.
"""

import csv
from pathlib import Path

import numpy as np

HELD_OUT = 0.2


def read(path):
    with Path(path).open(newline="") as file:
        return list(csv.DictReader(file))


def fit(texts, labels):
    """The place for a model that looks at the texts."""
    return np.mean(labels)


def probabilities(model, texts):
    """For each text, the probability that it is positive."""
    return np.ones(len(texts))


def main():
    train, test = read("train.csv"), read("test.csv")
    texts, labels = [row["text"] for row in train], np.array([int(row["label"]) for row in train])
    kept = int(len(labels) * (1 - HELD_OUT))
    answers = probabilities(fit(texts[:kept], labels[:kept]), texts[kept:])
    print(f"accuracy on held-out training rows: {np.mean((answers > 0.5) == labels[kept:]):.4f}")

    answers = probabilities(fit(texts, labels), [row["text"] for row in test])
    with Path("submission.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "positive"])
        writer.writerows([row["id"], f"{p:.6f}"] for row, p in zip(test, answers, strict=True))


if __name__ == "__main__":
    main()
