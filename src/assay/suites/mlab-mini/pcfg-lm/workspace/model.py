"""A language model of single symbols: how often each symbol follows the one before, with a little added to every count.

Interface: fit_predict(train, contexts, symbols, seed) -> probabilities
    train          (length,) the text, each symbol as its place in `symbols`
    contexts       (rows, 128) stretches of other text of the same kind
    symbols        the text's symbols as one string
    probabilities  (rows, number of symbols): what comes after each context; each row non-negative with sum 1
"""

import numpy as np

ADDED = 1.0
HELD_OUT = 20_000  # symbols at the end of the text that are kept for the printed figure


def fit_predict(train, contexts, symbols, seed):
    table = fit(train[:-HELD_OUT], len(symbols))
    rest = train[-HELD_OUT:]
    perplexity = np.exp(-np.log(table[rest[:-1], rest[1:]]).mean())
    print(f"perplexity on the last {HELD_OUT} symbols of the text: {perplexity:.4f}")
    return fit(train, len(symbols))[contexts[:, -1]]


def fit(text, size):
    """For every symbol the probabilities of the next one."""
    counts = np.full((size, size), ADDED)
    np.add.at(counts, (text[:-1], text[1:]), 1.0)
    return counts / counts.sum(axis=1, keepdims=True)
