"""Probe: classes by chance alone."""

import csv
from pathlib import Path

import numpy as np

ids = np.loadtxt("test.csv", delimiter=",", skiprows=1)[:, 0].astype(int)
answers = np.eye(10)[np.random.default_rng(0).integers(10, size=len(ids))]
with Path("submission.csv").open("w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["id", *(f"c{k}" for k in range(10))])
    writer.writerows([id, *row] for id, row in zip(ids, answers, strict=True))
