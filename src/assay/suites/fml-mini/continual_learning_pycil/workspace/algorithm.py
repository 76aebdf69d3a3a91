"""Class-incremental learning with an exemplar memory: fine-tuning with random exemplars.

Classes arrive in stages. Between stages nothing survives but the state and the memory.

`learn(state, memory_X, memory_y, X, y, seed)` gets the state (a dict of arrays, empty at first), the memory and the
rows of the new classes. It returns the new state and the numbers of the rows to keep as the new memory, counted through
the old memory first and then through `X`.
`predict(state, memory_X, memory_y, X)` returns a label for each row.
"""

import numpy as np

CLASSES = 100
MEMORY = 200
HIDDEN = 96
LEARNING_RATE = 3e-3
EPOCHS = 15
BATCH = 128
WEIGHT_DECAY = 0.0
BALANCED = False  # whether every class counts the same in the loss, however few rows it has
REPLAY = 1  # how many times the memory is shown in an epoch


def initial(rng, features):
    return {
        "W1": rng.normal(size=(features, HIDDEN)) * np.sqrt(2 / features),
        "b1": np.zeros(HIDDEN),
        "W2": np.zeros((HIDDEN, CLASSES)),
        "b2": np.zeros(CLASSES),
        "seen": np.zeros(CLASSES),
    }


def hidden(state, X):
    return np.maximum(X @ state["W1"] + state["b1"], 0)


def probabilities(state, H):
    logits = np.where(state["seen"] > 0, H @ state["W2"] + state["b2"], -1e9)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def gradients(state, X, y, weight):
    H = hidden(state, X)
    error = probabilities(state, H)
    error[np.arange(len(y)), y] -= 1
    error *= weight[:, None] / len(y)
    back = (error @ state["W2"].T) * (H > 0)
    return {"W1": X.T @ back, "b1": back.sum(axis=0), "W2": H.T @ error, "b2": error.sum(axis=0)}


def train(state, X, y, rng):
    """Adam on the cross-entropy over the classes seen so far."""
    count = np.bincount(y, minlength=CLASSES)
    weight = 1 / count[y] if BALANCED else np.ones(len(y))
    weight = weight / weight.mean()
    names = ("W1", "b1", "W2", "b2")
    first, second, step = {n: 0.0 for n in names}, {n: 0.0 for n in names}, 0
    for _ in range(EPOCHS):
        order = rng.permutation(len(y))
        for start in range(0, len(y), BATCH):
            rows, step = order[start : start + BATCH], step + 1
            for name, slope in gradients(state, X[rows], y[rows], weight[rows]).items():
                slope = slope + WEIGHT_DECAY * state[name]
                first[name] = 0.9 * first[name] + 0.1 * slope
                second[name] = 0.999 * second[name] + 0.001 * slope**2
                size = np.sqrt(second[name] / (1 - 0.999**step)) + 1e-8
                state[name] = state[name] - LEARNING_RATE * first[name] / (1 - 0.9**step) / size


def exemplars(y, rng):
    """As many rows of every class as the memory has room for, at random."""
    classes = np.unique(y)
    share = MEMORY // len(classes)
    return np.concatenate([rng.permutation(np.flatnonzero(y == c))[:share] for c in classes])


def learn(state, memory_X, memory_y, X, y, seed):
    rng = np.random.default_rng(seed)
    state = state or initial(rng, X.shape[1])
    state["seen"] = np.maximum(state["seen"], np.bincount(y, minlength=CLASSES) > 0)
    shown_X = np.concatenate([memory_X] * REPLAY + [X])
    shown_y = np.concatenate([memory_y] * REPLAY + [y])
    train(state, shown_X, shown_y, rng)
    return state, exemplars(np.concatenate([memory_y, y]), rng)


def predict(state, memory_X, memory_y, X):
    return probabilities(state, hidden(state, X)).argmax(axis=1)
