"""Predict who was transported: logistic regression on two columns, one indicator a value."""

import csv

import numpy as np
from sklearn.linear_model import LogisticRegression

FEATURES = ["HomePlanet", "Destination"]
TARGET = "Transported"
C = 1.0


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


train, test = read("train.csv"), read("test.csv")
values = [(name, value) for name in FEATURES for value in sorted({row[name] for row in train})]


def features(rows):
    return np.array([[float(row[name] == value) for name, value in values] for row in rows])


labels = np.array([row[TARGET] == "True" for row in train])
model = LogisticRegression(C=C).fit(features(train), labels)
predicted = model.predict(features(test))

with open("submission.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["id", TARGET])
    writer.writerows([row["id"], bool(label)] for row, label in zip(test, predicted))
