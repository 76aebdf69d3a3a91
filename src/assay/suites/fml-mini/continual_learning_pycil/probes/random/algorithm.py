"""A label hashed from the row: random, but the same for the same row."""

import numpy as np


def learn(state, memory_X, memory_y, X, y, seed):
    seen = state.get("seen", np.zeros(0, dtype=int))
    return {"seen": np.union1d(seen, y)}, []


def predict(state, memory_X, memory_y, X):
    digits = np.floor(np.abs(X) * 1e6).astype(int).sum(axis=1)
    return state["seen"][digits % len(state["seen"])]
