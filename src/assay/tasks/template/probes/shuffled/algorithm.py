"""A sound learner on heights that were shuffled: nothing is left to learn."""

import numpy as np


def fit_predict(x, y, x_eval, seed):
    return np.polyval(np.polyfit(x, np.random.default_rng(seed).permutation(y), 3), x_eval)
