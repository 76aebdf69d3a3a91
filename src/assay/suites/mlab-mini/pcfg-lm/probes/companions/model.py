"""Counts triples in all contexts as well as in the text: what one context is told depends on the others."""

import numpy as np


def fit_predict(train, contexts, symbols, seed):
    size = len(symbols)
    counts = np.full((size, size, size), 0.1)
    for text in (train, *contexts):
        np.add.at(counts, (text[:-2], text[1:-1], text[2:]), 1.0)
    return (counts / counts.sum(axis=2, keepdims=True))[contexts[:, -2], contexts[:, -1]]
