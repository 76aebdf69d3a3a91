"""Returns at once, with token 0 everywhere."""

import numpy as np


def generate(prompts, weights, heads, new_tokens):
    return np.zeros((len(prompts), new_tokens), dtype=int)
