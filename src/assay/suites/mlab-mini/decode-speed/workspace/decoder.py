"""Greedy decoding with a small transformer: every new token is found by computing everything anew.

Interface: generate(prompts, weights, heads, new_tokens) -> tokens
    prompts  (prompts, length) token numbers
    weights  embedding (vocabulary, width), position (length + new_tokens, width), readout (width, vocabulary);
             and with the layers along the first axis query, key, value, output (width, width), up (width, 4 width),
             down (4 width, width)
    tokens   (prompts, new_tokens): at each step the token with the largest score
"""

import numpy as np


def generate(prompts, weights, heads, new_tokens):
    found = []
    for prompt in prompts:
        tokens = [int(token) for token in prompt]
        for _ in range(new_tokens):
            tokens.append(int(np.argmax(scores(np.array(tokens), weights, heads)[-1])))
        found.append(tokens[len(prompt) :])
    return np.array(found)


def scores(tokens, weights, heads):
    """For every position, one score for each token that may come next."""
    x = weights["embedding"][tokens] + weights["position"][: len(tokens)]
    for layer in range(len(weights["query"])):
        x = x + attention(normalised(x), weights, layer, heads) @ weights["output"][layer]
        x = x + np.maximum(normalised(x) @ weights["up"][layer], 0.0) @ weights["down"][layer]
    return normalised(x) @ weights["readout"]


def attention(x, weights, layer, heads):
    """Each position looks at itself and at those before it, in every head by itself."""
    query, key, value = (x @ weights[name][layer] for name in ("query", "key", "value"))
    size = x.shape[1] // heads
    mixed = np.zeros_like(x)
    for head in range(heads):
        part = slice(head * size, (head + 1) * size)
        for position in range(len(x)):
            seen = slice(0, position + 1)
            shares = softmax(key[seen, part] @ query[position, part] / np.sqrt(size))
            mixed[position, part] = shares @ value[seen, part]
    return mixed


def normalised(x):
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5)


def softmax(x):
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
