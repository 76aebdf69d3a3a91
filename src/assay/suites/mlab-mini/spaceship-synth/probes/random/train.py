"""Say whom the anomaly carried off. Reads train.csv and test.csv, leaves submission.csv.

Probe: answers by chance alone.
"""

import csv
from pathlib import Path

import numpy as np

VALUES = {
    "planet": ["Earth", "Europa", "Mars"],
    "asleep": ["True", "False"],
    "destination": ["Trappist", "Cancri", "Pso"],
    "vip": ["True", "False"],
}
HELD_OUT = 0.2


def read(path):
    with Path(path).open(newline="") as file:
        return list(csv.DictReader(file))


def features(passengers):
    """A flag for each value of each categorical column; an empty field has no flag."""
    return np.array([[p[name] == value for name in VALUES for value in VALUES[name]] for p in passengers], float)


def fit(passengers, carried):
    """The place for a model that looks at features(passengers)."""
    return np.mean(carried) > 0.5


def predict(model, passengers):
    return np.random.default_rng(0).random(len(passengers)) < 0.5


def main():
    train, test = read("train.csv"), read("test.csv")
    carried = np.array([p["transported"] == "True" for p in train])
    kept = int(len(train) * (1 - HELD_OUT))
    answers = predict(fit(train[:kept], carried[:kept]), train[kept:])
    print(f"accuracy on held-out training rows: {np.mean(answers == carried[kept:]):.4f}")

    answers = predict(fit(train, carried), test)
    with Path("submission.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "transported"])
        writer.writerows([p["id"], bool(answer)] for p, answer in zip(test, answers, strict=True))


if __name__ == "__main__":
    main()
