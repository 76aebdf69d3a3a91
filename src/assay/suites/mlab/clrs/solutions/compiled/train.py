"""Weights that are the algorithm: lengths are negative, so the largest message is the shortest path."""

import json
from pathlib import Path

import numpy as np

FAR, SHIFT = 100.0, 1000.0
# channels: minus the distance so far, and 1 on the diagonal
embed = [[-1.0, 0.0], [FAR, 0.0], [FAR, 1.0]]
model = {
    "rounds": 6,
    "embed": [embed, [-FAR, 0.0]],
    "message": [[[1.0], [0.0]], [[1.0], [0.0]], [[0.0], [0.0]], [SHIFT]],
    "update": [[[0.0, 0.0], [0.0, 1.0]], [[1.0, 0.0]], [-SHIFT, 0.0]],
    # over k: the way to k and the edge from k to j, which must not be j itself
    "readout": [np.zeros((2, 1)).tolist(), [[1.0], [0.0]], [[1.0], [-FAR]], [SHIFT], [1.0]],
}
Path("model.json").write_text(json.dumps(model))
