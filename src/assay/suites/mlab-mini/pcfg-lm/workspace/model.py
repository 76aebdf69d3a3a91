"""A language model of single symbols: how often each follows the one before, with a little added to every count.

Interface: fit_predict(train, contexts, symbols, seed) -> probabilities
    train          (length,) the text, each symbol as its place in `symbols`
    contexts       (rows, 128) stretches of other text of the same kind
    symbols        the text's symbols as one string
    probabilities  (rows, number of symbols): what comes after each context; each row non-negative with sum 1
"""

import numpy as np

ORDER = 1  # how many symbols before a symbol are looked at
ADDED = 1.0
HELD_OUT = 20_000  # symbols at the end of the text that are kept for the printed figure


def fit_predict(train, contexts, symbols, seed):
    size = len(symbols)
    table, rest = fit(train[:-HELD_OUT], size), train[-HELD_OUT:]
    perplexity = np.exp(-np.log(table[before(rest, size), rest[ORDER:]]).mean())
    print(f"perplexity on the last {HELD_OUT} symbols of the text: {perplexity:.4f}")
    return fit(train, size)[contexts[:, contexts.shape[1] - ORDER :].astype(int) @ weights(size)]


def fit(text, size):
    """For each ORDER symbols the probabilities of the next one."""
    counts = np.full((size**ORDER, size), ADDED)
    np.add.at(counts, (before(text, size), text[ORDER:]), 1.0)
    return counts / counts.sum(axis=1, keepdims=True)


def before(text, size):
    """The ORDER symbols before each symbol of the text but the first, as one number."""
    stretches = np.lib.stride_tricks.sliding_window_view(text.astype(int), ORDER)[:-1]
    return stretches @ weights(size)


def weights(size):
    return size ** np.arange(ORDER)
