"""Random weights in place of learned ones."""

import numpy as np


def client_update(weights, X, y, state, shared, round, seed):
    rng = np.random.default_rng(seed)
    return {name: rng.normal(size=value.shape) for name, value in weights.items()}, {}


def server_update(weights, uploads, sizes, state, round):
    return uploads[round % len(uploads)], {}
