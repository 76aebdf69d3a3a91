"""Counts of pairs as in the starter, of a text whose symbols were shuffled."""

import numpy as np


def fit_predict(train, contexts, symbols, seed):
    text = np.random.default_rng(seed).permutation(train)
    counts = np.ones((len(symbols), len(symbols)))
    np.add.at(counts, (text[:-1], text[1:]), 1.0)
    return (counts / counts.sum(axis=1, keepdims=True))[contexts[:, -1]]
