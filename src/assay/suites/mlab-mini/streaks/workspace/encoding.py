"""Masks as run-length strings, and the file that is handed in."""

import csv
from pathlib import Path

import numpy as np


def encoded(mask):
    """`start length` for each run of marked pixels, counted from 1 down the columns; `-` if nothing is marked."""
    flat = np.concatenate([[0], mask.ravel(order="F").astype(int), [0]])
    starts, ends = (np.flatnonzero(np.diff(flat) == step) for step in (1, -1))
    runs = [f"{start + 1} {end - start}" for start, end in zip(starts, ends, strict=True)]
    return " ".join(runs) or "-"


def write_submission(path, ids, masks):
    """One row for each image."""
    with Path(path).open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "encoded_pixels"])
        table.writerows((name, encoded(mask)) for name, mask in zip(ids, masks, strict=True))
