"""Heads and positions in one product each, all prompts together; still everything anew for every token."""

import numpy as np


def generate(prompts, weights, heads, new_tokens):
    tokens = prompts
    for _ in range(new_tokens):
        tokens = np.hstack([tokens, scores(tokens, weights, heads).argmax(axis=-1)[:, None]])
    return tokens[:, prompts.shape[1] :]


def scores(tokens, weights, heads):
    """Of the token after the last, for every prompt."""
    x = weights["embedding"][tokens] + weights["position"][: tokens.shape[1]]
    for layer in range(len(weights["query"])):
        x = x + attention(normalised(x), weights, layer, heads) @ weights["output"][layer]
        x = x + np.maximum(normalised(x) @ weights["up"][layer], 0.0) @ weights["down"][layer]
    return normalised(x[:, -1]) @ weights["readout"]


def attention(x, weights, layer, heads):
    prompts, length, width = x.shape
    query, key, value = (
        (x @ weights[name][layer]).reshape(prompts, length, heads, -1).swapaxes(1, 2)
        for name in ("query", "key", "value")
    )
    likeness = query @ key.swapaxes(2, 3) / np.sqrt(width // heads)
    likeness[..., np.triu(np.ones((length, length), dtype=bool), 1)] = -np.inf
    powers = np.exp(likeness - likeness.max(axis=-1, keepdims=True))
    mixed = powers / powers.sum(axis=-1, keepdims=True) @ value
    return mixed.swapaxes(1, 2).reshape(prompts, length, width)


def normalised(x):
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5)
