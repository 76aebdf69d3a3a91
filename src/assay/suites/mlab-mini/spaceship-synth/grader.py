"""Trusted side of spaceship-synth: passengers, some of whom are carried off by an anomaly."""

from functools import cache

import numpy as np

from assay.tasks.files import as_csv, as_files, table_of
from assay.tasks.grader import Grade, InvalidOutput

SECRET = {"train": 271_640_089, "val": 503_918_467, "test": 816_027_301}
TRAIN, ROWS = 2400, 1200
PLANETS = {"Earth": 0.54, "Europa": 0.25, "Mars": 0.21}
ASLEEP = [0.30, 0.42, 0.38]
DESTINATIONS = {"Trappist": 0.69, "Cancri": 0.21, "Pso": 0.10}
DECKS = "ABCDEFG"
DECK_SHARES = np.array(
    [[0, 0, 0, 0.08, 0.17, 0.35, 0.40], [0.10, 0.30, 0.30, 0.10, 0.20, 0, 0], [0, 0, 0, 0.30, 0.20, 0.50, 0]]
)
"""A row a planet, a column a deck."""
SPENDING = {"room_service": -0.21, "food_court": 0.125, "shopping_mall": 0.11, "spa": -0.225, "screens": -0.21}
"""What the log of each amount does to the log-odds."""
SHARPNESS, OFFSET = 1.3, -0.40
MISSING = 0.02
NAMES = {"True": True, "False": False}


def prepare(split, seed):
    passengers, _, carried = _passengers(TRAIN, np.random.default_rng([SECRET["train"], seed]))
    train = as_csv({**passengers, "transported": carried})
    return as_files({"train.csv": train, "test.csv": as_csv(_evaluation(split)[0])})


def grade(outputs, split, seed):
    passengers, _, carried = _evaluation(split)
    answers = table_of(outputs, "submission.csv", passengers["id"], ["transported"])["transported"]
    for id, text in zip(passengers["id"], answers, strict=True):
        if text not in NAMES:
            raise InvalidOutput(f"submission.csv, id '{id}': transported is '{text[:50]}', must be True or False")
    return Grade({"accuracy": float(np.mean([NAMES[text] for text in answers] == carried))})


@cache
def _evaluation(split):
    return _passengers(ROWS, np.random.default_rng(SECRET[split]), first=TRAIN)


def _passengers(rows, rng, first=0):
    """Columns as the candidate sees them, the log-odds that a passenger is carried off, and who is.

    Groups are numbered from `first` on.
    """
    group = np.repeat(np.arange(rows), rng.choice([1, 1, 1, 2, 3, 4], size=rows))[:rows]
    place = np.arange(rows) - np.searchsorted(group, group) + 1
    planet = rng.choice(len(PLANETS), rows, p=list(PLANETS.values()))[group]
    asleep = rng.random(rows) < np.array(ASLEEP)[planet]
    destination = rng.choice(len(DESTINATIONS), rows, p=list(DESTINATIONS.values()))
    deck = (rng.random((rows, 1)) > DECK_SHARES[planet].cumsum(axis=1)).sum(axis=1).clip(max=len(DECKS) - 1)
    starboard = (rng.random(rows) < 0.5)[group]
    number = rng.integers(1800, size=rows)
    age = np.clip(np.rint(rng.normal(29, 14, rows)), 0, 79).astype(int)
    vip = rng.random(rows) < 0.02
    spends = (rng.random((len(SPENDING), rows)) < 0.45) & ~asleep & (age > 12)
    amounts = np.where(spends, np.rint(np.exp(rng.normal(5.2, 1.6, spends.shape))), 0).astype(int)
    log_odds = SHARPNESS * (
        OFFSET
        + 1.5 * asleep
        + 0.9 * (planet == 1)
        + 0.25 * (planet == 2)
        + 0.28 * starboard
        + 0.35 * (deck == DECKS.index("B"))
        - 0.35 * (deck == DECKS.index("E"))
        + 0.25 * (destination == 1)
        + 0.5 * (age < 13)
        + np.array(list(SPENDING.values())) @ np.log1p(amounts)
        + 0.3 * (number < 400)
    )
    carried = rng.random(rows) < 1 / (1 + np.exp(-log_odds))
    columns = {
        "planet": [list(PLANETS)[k] for k in planet],
        "asleep": asleep.tolist(),
        "cabin": [f"{DECKS[d]}/{n}/{'S' if s else 'P'}" for d, n, s in zip(deck, number, starboard, strict=True)],
        "destination": [list(DESTINATIONS)[k] for k in destination],
        "age": age.tolist(),
        "vip": vip.tolist(),
        **{name: amount.tolist() for name, amount in zip(SPENDING, amounts, strict=True)},
    }
    gaps = rng.random((len(columns), rows)) < MISSING
    seen = {
        name: [None if gap else value for value, gap in zip(values, row, strict=True)]
        for (name, values), row in zip(columns.items(), gaps, strict=True)
    }
    ids = [f"{first + g:04d}_{k:02d}" for g, k in zip(group, place, strict=True)]
    return {"id": ids, **seen}, log_odds, carried
