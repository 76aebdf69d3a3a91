"""Grade essays: ridge regression on how long they are."""

import csv

import numpy as np
from sklearn.linear_model import Ridge

MARKS = ["cohesion", "syntax", "vocabulary", "phraseology", "grammar", "conventions"]
ALPHA = 1.0


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def features(rows):
    words = [row["full_text"].split() for row in rows]
    return np.array([[np.log1p(len(w)), len(row["full_text"]) / (1 + len(w))] for row, w in zip(rows, words)])


train, test = read("train.csv"), read("test.csv")
marks = np.array([[float(row[name]) for name in MARKS] for row in train])
model = Ridge(alpha=ALPHA).fit(features(train), marks)
predicted = model.predict(features(test))

with open("submission.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["id", *MARKS])
    writer.writerows([row["id"], *marks] for row, marks in zip(test, predicted))
