"""The network: messages between all triples of nodes. Not to be changed; the evaluation has a copy of its own.

model.json holds
  rounds     whole number, 0 … 8
  embed      [W, b]: 3 → C. Each pair (i, j) has the length of its edge, 1 if there is an edge, and 1 if i is j
  message    [P, Q, R, b]: each C → H. Of the states of (i, k), (k, j) and (i, j)
  update     [S, U, b]: C → C and H → C
  readout    [P, Q, R, b, v]: each C → K, and K numbers. Of the state of (i, j), of (i, k), and the embedding of (k, j)
with C, H and K from 1 to 32; a matrix is a list of rows, one for each input.
"""

import numpy as np

ROUNDS, WIDTH = 8, 32
SHAPES = {
    "embed": ("3C", "C"),
    "message": ("CH", "CH", "CH", "H"),
    "update": ("CC", "HC", "C"),
    "readout": ("CK", "CK", "CK", "K", "K"),
}


def checked(model):
    """The weights as arrays. Raises ValueError that says what is wrong."""
    if not isinstance(model, dict) or set(model) != {"rounds", *SHAPES}:
        raise ValueError(f"expected an object with rounds, {', '.join(SHAPES)}")
    rounds = model["rounds"]
    if type(rounds) is not int or not 0 <= rounds <= ROUNDS:
        raise ValueError(f"rounds must be a whole number 0 … {ROUNDS}")
    arrays, sizes = {"rounds": rounds}, {"3": 3}
    for name, shapes in SHAPES.items():
        if not isinstance(model[name], list) or len(model[name]) != len(shapes):
            raise ValueError(f"{name} must be a list of {len(shapes)}")
        arrays[name] = [_array(name, entry, shape, sizes) for entry, shape in zip(model[name], shapes)]
    return arrays


def _array(name, entry, shape, sizes):
    try:
        array = np.array(entry, dtype=np.float64)
    except (TypeError, ValueError, OverflowError, RecursionError):
        raise ValueError(f"{name} holds something that is not an array of numbers") from None
    if array.ndim != len(shape) or not np.isfinite(array).all() or (np.abs(array) > 1e6).any():
        raise ValueError(f"{name} must hold finite arrays of {len(shape)} axes, no number beyond 1e6")
    for letter, size in zip(shape, array.shape):
        if sizes.setdefault(letter, size) != size or not 1 <= size <= WIDTH:
            raise ValueError(f"{name}: an axis has length {size}, which does not fit")
    return array


def embedding(model, adjacency):
    facts = np.stack([adjacency, adjacency > 0, np.eye(len(adjacency))], axis=-1)
    W, b = model["embed"]
    return facts @ W + b


def predict(model, adjacency):
    """The predecessor of j on the way from i, for each pair, by a checked model."""
    first = state = embedding(model, adjacency)
    for _ in range(model["rounds"]):
        P, Q, R, b = model["message"]
        told = np.stack([_messages(row, state, P, Q, R, b) for row in state])
        S, U, c = model["update"]
        state = state @ S + told @ U + c
    P, Q, R, b, v = model["readout"]
    target = np.swapaxes(first @ R, 0, 1)
    scores = []
    for row in state:
        hidden = np.maximum((row @ P)[:, None] + (row @ Q)[None] + target + b, 0)
        scores.append(hidden @ v)
    pointers = np.argmax(np.stack(scores), axis=2)
    np.fill_diagonal(pointers, np.arange(len(adjacency)))
    return pointers


def _messages(row, state, P, Q, R, b):
    """For one i and each j: the largest message over all k."""
    # j × k × H: of (i, k), of (k, j), of (i, j)
    hidden = (row @ P)[None] + np.swapaxes(state @ Q, 0, 1) + (row @ R)[:, None] + b
    return np.maximum(hidden, 0).max(axis=1)
