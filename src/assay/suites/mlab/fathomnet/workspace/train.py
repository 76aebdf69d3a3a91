"""Name the animals on photographs: those of the training photographs with the most similar colours."""

import csv
from collections import Counter

import numpy as np

NEIGHBOURS = 50
BINS = 2


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def features(images):
    parts = images.reshape(len(images), BINS, 64 // BINS, BINS, 64 // BINS, 3).mean(axis=(2, 4))
    return parts.reshape(len(images), -1) / 255


train, test = read("train.csv"), read("test.csv")
X, X_test = features(np.load("train_images.npy")), features(np.load("test_images.npy"))
with open("submission.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["id", "categories"])
    for row, x in zip(test, X_test):
        near = np.argsort(((X - x) ** 2).sum(axis=1), kind="stable")[:NEIGHBOURS]
        counts = Counter(category for n in near for category in train[n]["categories"].split())
        writer.writerow([row["id"], " ".join(category for category, _ in counts.most_common(20))])
