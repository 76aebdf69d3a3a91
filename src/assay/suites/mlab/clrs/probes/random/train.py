"""Weights by chance."""

import json
from pathlib import Path

import numpy as np

rng = np.random.default_rng(int(Path("seed.txt").read_text()))


def draw(*shape):
    return rng.normal(size=shape).tolist()


model = {
    "rounds": 2,
    "embed": [draw(3, 4), draw(4)],
    "message": [draw(4, 8), draw(4, 8), draw(4, 8), draw(8)],
    "update": [draw(4, 4), draw(8, 4), draw(4)],
    "readout": [draw(4, 8), draw(4, 8), draw(4, 8), draw(8), draw(8)],
}
Path("model.json").write_text(json.dumps(model))
