"""Name the next token after each prompt, one prompt and one position after the other."""

import json
from pathlib import Path

import numpy as np

config = json.loads(Path("config.json").read_text())
weights = dict(np.load("weights.npz"))
HEADS, GROUPS = config["num_attention_heads"], config["num_key_value_heads"]
SIZE = config["hidden_size"] // HEADS


def normed(x, scale):
    return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + config["rms_norm_eps"]) * scale


def turned(x, position):
    """Rotary position: the halves of a head's numbers are turned against each other."""
    angle = position * config["rope_theta"] ** (-np.arange(SIZE // 2) / (SIZE // 2))
    a, b = x[: SIZE // 2], x[SIZE // 2 :]
    return np.concatenate([a * np.cos(angle) - b * np.sin(angle), b * np.cos(angle) + a * np.sin(angle)])


def attention(x, layer):
    w = {name: weights[f"{layer}.self_attn.{name}_proj.weight"].astype(np.float64) for name in "qkvo"}
    q, k, v = (x @ w[name].T for name in "qkv")
    output = np.zeros((len(x), HEADS * SIZE))
    for head in range(HEADS):
        group = head // (HEADS // GROUPS)
        keys = [turned(k[t, group * SIZE : (group + 1) * SIZE], t) for t in range(len(x))]
        for t in range(len(x)):
            query = turned(q[t, head * SIZE : (head + 1) * SIZE], t)
            score = np.array([query @ keys[s] / np.sqrt(SIZE) for s in range(t + 1)])
            share = np.exp(score - score.max())
            share /= share.sum()
            output[t, head * SIZE : (head + 1) * SIZE] = share @ v[: t + 1, group * SIZE : (group + 1) * SIZE]
    return output @ w["o"].T


def feed_forward(x, layer):
    gate, up, down = (weights[f"{layer}.mlp.{name}_proj.weight"].astype(np.float64) for name in ("gate", "up", "down"))
    g = x @ gate.T
    return (g / (1 + np.exp(-g)) * (x @ up.T)) @ down.T


def next_token(prompt):
    x = weights["model.embed_tokens.weight"].astype(np.float64)[prompt]
    for n in range(config["num_hidden_layers"]):
        layer = f"model.layers.{n}"
        x = x + attention(normed(x, weights[f"{layer}.input_layernorm.weight"]), layer)
        x = x + feed_forward(normed(x, weights[f"{layer}.post_attention_layernorm.weight"]), layer)
    logits = normed(x, weights["model.norm.weight"]) @ weights["lm_head.weight"].astype(np.float64).T
    return int(logits[-1].argmax())


np.save("tokens.npy", np.array([next_token(prompt) for prompt in np.load("prompts.npy")]))
