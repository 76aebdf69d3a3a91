"""Probe: the most frequent label for every image."""

import csv
from pathlib import Path

import numpy as np

labels = np.loadtxt("train.csv", delimiter=",", skiprows=1)[:, 1].astype(int)
ids = np.loadtxt("test.csv", delimiter=",", skiprows=1)[:, 0].astype(int)
answers = np.tile(np.eye(10)[np.bincount(labels).argmax()], (len(ids), 1))
with Path("submission.csv").open("w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["id", *(f"c{k}" for k in range(10))])
    writer.writerows([id, *row] for id, row in zip(ids, answers, strict=True))
