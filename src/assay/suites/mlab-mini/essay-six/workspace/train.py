"""Rate six skills of a writer from an essay. Reads train.csv and test.csv, leaves submission.csv.

Starting point: no model yet. Every essay gets the mean rating of training, skill by skill.
"""

import csv
from pathlib import Path

import numpy as np

SKILLS = ["cohesion", "syntax", "vocabulary", "phraseology", "grammar", "conventions"]
HELD_OUT = 0.2


def read(path):
    with Path(path).open(newline="") as file:
        return list(csv.DictReader(file))


def fit(texts, ratings):
    """The place for a model that looks at the texts."""
    return ratings.mean(axis=0)


def predict(model, texts):
    """One row a text, one column a skill."""
    return np.tile(model, (len(texts), 1))


def main():
    train, test = read("train.csv"), read("test.csv")
    texts = [row["full_text"] for row in train]
    ratings = np.array([[float(row[name]) for name in SKILLS] for row in train])
    kept = int(len(train) * (1 - HELD_OUT))
    answers = predict(fit(texts[:kept], ratings[:kept]), texts[kept:])
    errors = np.sqrt(np.mean((answers - ratings[kept:]) ** 2, axis=0))
    print("RMSE on held-out training essays:", *(f"{name} {e:.3f}" for name, e in zip(SKILLS, errors, strict=True)))
    print(f"mean of the six: {errors.mean():.4f}")

    answers = predict(fit(texts, ratings), [row["full_text"] for row in test])
    with Path("submission.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", *SKILLS])
        writer.writerows([row["id"], *(f"{value:.4f}" for value in a)] for row, a in zip(test, answers, strict=True))


if __name__ == "__main__":
    main()
