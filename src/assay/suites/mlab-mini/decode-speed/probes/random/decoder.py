"""Returns at once, with random tokens."""

import numpy as np


def generate(prompts, weights, heads, new_tokens):
    return np.random.default_rng(0).integers(len(weights["embedding"]), size=(len(prompts), new_tokens))
