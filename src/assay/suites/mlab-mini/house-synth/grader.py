"""Trusted side of house-synth: houses whose log price is nearly linear in logs, years, grades and places."""

from functools import cache

import numpy as np

from assay.tasks.files import as_csv, as_files, numbers_of, table_of
from assay.tasks.grader import Grade

SECRET = {"places": 420_918_337, "train": 653_701_129, "val": 108_264_859, "test": 977_350_241}
TRAIN, ROWS = 1200, 600
PLACES, SPREAD, NOISE = 20, 0.18, 0.11
ZONES = {"low": (0.75, 0.0), "medium": (0.15, -0.12), "floating": (0.06, 0.10), "commercial": (0.04, -0.30)}
"""How frequent a zone is, and what it does to the log price."""
NEWEST = 2010
IDS = [str(TRAIN + number) for number in range(ROWS)]


def prepare(split, seed):
    houses, prices = _houses(TRAIN, np.random.default_rng([SECRET["train"], seed]))
    train = {"id": range(TRAIN), **houses, "price": prices}
    return as_files({"train.csv": as_csv(train), "test.csv": as_csv({"id": IDS, **_evaluation(split)[0]})})


def grade(outputs, split, seed):
    answers = numbers_of(table_of(outputs, "submission.csv", IDS, ["price"]), "price", "submission.csv")
    _, prices = _evaluation(split)
    return Grade({"mae": float(np.mean(np.abs(answers - prices)))})


@cache
def _evaluation(split):
    return _houses(ROWS, np.random.default_rng(SECRET[split]))


@cache
def _places():
    """What each neighbourhood does to the log price: the same for every seed and split."""
    return np.random.default_rng(SECRET["places"]).normal(0.0, SPREAD, PLACES)


def _houses(rows, rng):
    """Columns as the candidate sees them, and prices in whole units."""
    area = np.rint(np.exp(rng.normal(7.25, 0.33, rows))).astype(int)
    quality = np.clip(np.rint(rng.normal(6, 1.4, rows)), 1, 10).astype(int)
    condition = np.clip(np.rint(rng.normal(5.5, 1.1, rows)), 1, 9).astype(int)
    built = rng.integers(1900, NEWEST + 1, rows)
    later = np.rint(built + (NEWEST - built) * rng.random(rows)).astype(int)
    remodelled = np.where(rng.random(rows) < 0.5, built, later)
    lot = np.rint(np.exp(rng.normal(9.1, 0.45, rows))).astype(int)
    baths, bedrooms, garage = rng.integers(1, 4, rows), rng.integers(1, 6, rows), rng.integers(0, 4, rows)
    fireplaces = rng.poisson(0.6, rows)
    place = rng.integers(PLACES, size=rows)
    zone = rng.choice(len(ZONES), rows, p=[share for share, _ in ZONES.values()])
    basement = np.where(rng.random(rows) < 0.1, 0, np.rint(area * rng.uniform(0.4, 0.8, rows))).astype(int)
    log_price = (
        8.15
        + 0.45 * np.log(area)
        + 0.085 * quality
        + 0.02 * condition * (built < 1980)
        + 0.0022 * (built - 1950)
        + 0.0012 * (remodelled - built)
        + 0.08 * np.log(lot)
        + 0.03 * baths
        - 0.01 * bedrooms
        + 0.03 * fireplaces
        + 0.035 * garage
        + _places()[place]
        + np.array([effect for _, effect in ZONES.values()])[zone]
        + 0.00008 * basement * (quality > 6)
        + rng.normal(0.0, NOISE, rows)
    )
    houses = {
        "living_area": area,
        "quality": quality,
        "condition": condition,
        "year_built": built,
        "year_remodelled": remodelled,
        "lot_area": lot,
        "baths": baths,
        "bedrooms": bedrooms,
        "fireplaces": fireplaces,
        "garage_cars": garage,
        "basement_area": basement,
        "neighbourhood": [f"N{number:02d}" for number in place],
        "zone": [list(ZONES)[number] for number in zone],
    }
    return houses, np.rint(np.exp(log_price)).astype(int)
