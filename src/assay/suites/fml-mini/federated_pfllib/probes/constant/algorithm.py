"""A network that answers class 0 whatever it sees."""

import numpy as np


def client_update(weights, X, y, state, shared, round, seed):
    return weights, {}


def server_update(weights, uploads, sizes, state, round):
    blind = {name: np.zeros_like(value) for name, value in weights.items()}
    blind["b2"][0] = 1.0
    return blind, {}
