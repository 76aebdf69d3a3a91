"""Predict what a house is sold for. Reads train.csv and test.csv, leaves submission.csv.

Probe: the prices of training, dealt out by chance.
"""

import csv
from pathlib import Path

import numpy as np

NUMERIC = [
    "living_area",
    "quality",
    "condition",
    "year_built",
    "year_remodelled",
    "lot_area",
    "baths",
    "bedrooms",
    "fireplaces",
    "garage_cars",
    "basement_area",
]
HELD_OUT = 0.2


def read(path):
    with Path(path).open(newline="") as file:
        return list(csv.DictReader(file))


def features(houses):
    return np.array([[float(house[name]) for name in NUMERIC] for house in houses])


def fit(houses, prices):
    """The place for a model that looks at features(houses)."""
    return prices


def predict(model, houses):
    return np.random.default_rng(0).choice(model, size=len(houses))


def main():
    train, test = read("train.csv"), read("test.csv")
    prices = np.array([float(house["price"]) for house in train])
    kept = int(len(train) * (1 - HELD_OUT))
    answers = predict(fit(train[:kept], prices[:kept]), train[kept:])
    print(f"mean absolute error on held-out training rows: {np.abs(answers - prices[kept:]).mean():.0f}")

    answers = predict(fit(train, prices), test)
    with Path("submission.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "price"])
        writer.writerows([house["id"], f"{price:.2f}"] for house, price in zip(test, answers, strict=True))


if __name__ == "__main__":
    main()
