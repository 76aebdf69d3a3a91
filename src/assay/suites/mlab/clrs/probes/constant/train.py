"""Weights of zero: every pair is told the same predecessor."""

import json
from pathlib import Path

flat, empty = [[0.0]], [0.0]
model = {
    "rounds": 0,
    "embed": [[[0.0]] * 3, empty],
    "message": [flat, flat, flat, empty],
    "update": [flat, flat, empty],
    "readout": [flat, flat, flat, empty, empty],
}
Path("model.json").write_text(json.dumps(model))
