"""All prompts together; keys and values of earlier positions are kept, so that a new token costs one position."""

import numpy as np


def generate(prompts, weights, heads, new_tokens):
    decoder = Decoder(weights, heads, len(prompts), prompts.shape[1] + new_tokens)
    tokens = [decoder.advance(prompts)]
    for _ in range(new_tokens - 1):
        tokens.append(decoder.advance(tokens[-1][:, None]))
    return np.stack(tokens, axis=1)


class Decoder:
    """The positions that were read so far, as keys and values by layer."""

    def __init__(self, weights, heads, prompts, length):
        self.weights = weights
        self.layers, width, _ = weights["query"].shape
        self.shape = (prompts, -1, heads, width // heads)
        self.read = 0
        self.keys = np.empty((self.layers, prompts, heads, width // heads, length))
        self.values = np.empty((self.layers, prompts, heads, length, width // heads))
        scaled = weights["query"] / np.sqrt(width // heads)
        self.inward = np.concatenate([scaled, weights["key"], weights["value"]], axis=2)

    def advance(self, tokens):
        """Read further tokens of every prompt, and say which one comes next."""
        start, self.read = self.read, self.read + tokens.shape[1]
        x = self.weights["embedding"][tokens] + self.weights["position"][start : self.read]
        width = x.shape[2]
        x = x.reshape(-1, width)
        for layer in range(self.layers):
            x += self.attention(normalised(x), layer, start) @ self.weights["output"][layer]
            if layer == self.layers - 1:
                # from here on only the last position matters
                x = x.reshape(len(tokens), -1, width)[:, -1]
            x += np.maximum(normalised(x) @ self.weights["up"][layer], 0.0) @ self.weights["down"][layer]
        return (normalised(x) @ self.weights["readout"]).argmax(axis=-1)

    def attention(self, x, layer, start):
        width = x.shape[1]
        inward = x @ self.inward[layer]
        query, key, value = (inward[:, n * width : (n + 1) * width].reshape(self.shape) for n in range(3))
        self.keys[layer, ..., start : self.read] = key.transpose(0, 2, 3, 1)
        self.values[layer, :, :, start : self.read] = value.swapaxes(1, 2)
        likeness = query.swapaxes(1, 2) @ self.keys[layer, ..., : self.read]
        if self.read - start > 1:
            likeness[..., np.triu(np.ones(likeness.shape[2:], dtype=bool), 1)] = -np.inf
        powers = np.exp(likeness - likeness.max(axis=-1, keepdims=True))
        powers /= powers.sum(axis=-1, keepdims=True)
        return (powers @ self.values[layer, :, :, : self.read]).swapaxes(1, 2).reshape(-1, width)


def normalised(x):
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5)
