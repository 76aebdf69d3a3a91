"""Draws a digit for every row; the draw is a function of the row alone, so that it answers a row the same again."""

import numpy as np


def learn(state, X, y, seed):
    return {"seed": np.array([float(seed % 1000)])}


def predict(state, X):
    direction = np.random.default_rng(int(state["seed"][0])).normal(size=64)
    return (np.floor(X.astype(float) @ direction * 997) % 10).astype(int)
