"""A random distribution, which is a function of the context alone, so that it answers a row the same again."""

import numpy as np


def fit_predict(train, contexts, symbols, seed):
    rows = [np.random.default_rng(context).dirichlet(np.ones(len(symbols))) for context in contexts]
    return np.array(rows)
