"""The same for every symbol, whatever went before."""

import numpy as np


def fit_predict(train, contexts, symbols, seed):
    return np.full((len(contexts), len(symbols)), 1 / len(symbols))
