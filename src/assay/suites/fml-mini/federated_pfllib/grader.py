"""Trusted side: carries models between a server and clients that never see each other's rows, and grades the last."""

import numpy as np

from assay.tasks.digits import digits
from assay.tasks.expect import numbers
from assay.tasks.grader import Grade, InvalidOutput, Tampering

PARTITION_SECRET = 470389
START_SECRET = 695281
CLIENTS, ROUNDS, REPETITIONS = 8, 12, 3
TRAIN_SHARE, EVAL_SHARE = 0.55, 0.22
FEWEST = 60
"""Rows that every client has at least."""
SHAPES = {"W1": (64, 32), "b1": (32,), "W2": (32, 10), "b2": (10,)}
STATE = 5000
"""Numbers that the server, and each client, may keep from round to round: about two models."""


def conduct(perform, split, seed):
    """One process for each client and round, and one for the server. All repetitions of a client share its rows."""
    clients, weights = _clients(), _start(seed)
    server, states = {}, [{}] * CLIENTS
    sizes = [len(client["train"]) for client in clients]
    X, y = digits()
    for number in range(ROUNDS):
        uploads = []
        for k, client in enumerate(clients):
            rows = {"X": X[client["train"]], "y": y[client["train"]], "round": number, "seed": _seed(seed, number, k)}
            answer = perform({"task": "client", **rows, **_packed(weights, "weights"), **states[k], **server})
            uploads.append(_weights(answer))
            states[k] = _state(answer, "client_")
        stacked = {f"uploads_{name}": np.stack([upload[name] for upload in uploads], axis=1) for name in SHAPES}
        given = {"task": "server", "sizes": np.array(sizes), "round": number, **stacked}
        answer = perform({**given, **_packed(weights, "weights"), **server})
        weights, server = _weights(answer), _state(answer, "server_")
    return weights


def grade(outputs, split, seed):
    X, y = digits()
    accuracy = np.zeros((REPETITIONS, CLIENTS))
    for r in range(REPETITIONS):
        W1, b1, W2, b2 = (outputs[name][r].astype(float) for name in SHAPES)
        for k, client in enumerate(_clients()):
            rows = client[split]
            with np.errstate(over="ignore", invalid="ignore"):
                scores = np.maximum(X[rows] @ W1 + b1, 0) @ W2 + b2
            accuracy[r, k] = np.mean(scores.argmax(axis=1) == y[rows])
    averages = accuracy.mean(axis=1)
    metrics = {"test_acc_mean": float(averages.mean()), "test_acc_std_mean": float(accuracy.std(axis=1).mean())}
    return Grade(metrics, {"test_acc_mean": float(averages.std(ddof=1) / np.sqrt(REPETITIONS))})


def _packed(arrays, prefix):
    return {f"{prefix}_{name}": value for name, value in arrays.items()}


def _weights(outputs):
    """The four arrays of a model for every repetition, in the 32 bits that they travel in."""
    wide = {name: numbers(outputs, f"weights_{name}", (REPETITIONS, *shape)) for name, shape in SHAPES.items()}
    return {name: np.clip(value, -1e30, 1e30).astype(np.float32) for name, value in wide.items()}


def _state(outputs, prefix):
    state = {name: value for name, value in outputs.items() if name.startswith(prefix)}
    if len(state) > 16 or any(len(name) > 40 for name in state):
        raise InvalidOutput("a state has at most 16 arrays with short names")
    for name, value in state.items():
        if not isinstance(value, np.ndarray) or value.ndim == 0 or len(value) != REPETITIONS:
            raise InvalidOutput("a state must be a dict of arrays")
        state[name] = np.clip(numbers(state, name, value.shape), -1e30, 1e30).astype(np.float32)
    size = sum(value.size for value in state.values()) // REPETITIONS
    if size > STATE:
        raise Tampering(f"a state has {size} numbers; server and clients may each keep {STATE}")
    return state


def _seed(seed, number, client):
    return (seed * ROUNDS + number) * CLIENTS + client


def _start(seed):
    """The same first models for both splits, one for each repetition."""
    rng = np.random.default_rng([START_SECRET, seed])
    W1 = rng.normal(size=(REPETITIONS, *SHAPES["W1"])) * np.sqrt(2 / 64)
    W2 = rng.normal(size=(REPETITIONS, *SHAPES["W2"])) * np.sqrt(1 / 32)
    zeros = {name: np.zeros((REPETITIONS, *SHAPES[name])) for name in ("b1", "b2")}
    start = {"W1": W1, "b1": zeros["b1"], "W2": W2, "b2": zeros["b2"]}
    return {name: value.astype(np.float32) for name, value in start.items()}


def _clients():
    """Row numbers of every client's three parts. Few clients have many classes, and no class is evenly spread."""
    _, y = digits()
    rng = np.random.default_rng(PARTITION_SECRET)
    while True:
        held = [[] for _ in range(CLIENTS)]
        for c in range(10):
            rows = rng.permutation(np.flatnonzero(y == c))
            share = rng.dirichlet([0.1] * CLIENTS) * [len(rows_of) < len(y) / CLIENTS for rows_of in held]
            if share.sum() == 0:
                break
            borders = (np.cumsum(share / share.sum()) * len(rows)).astype(int)[:-1]
            for k, part in enumerate(np.split(rows, borders)):
                held[k].extend(part)
        if min(len(rows) for rows in held) >= FEWEST and sum(len(rows) for rows in held) == len(y):
            break
    clients = []
    for rows in held:
        rows = rng.permutation(rows)
        train, evaluation = int(TRAIN_SHARE * len(rows)), int(EVAL_SHARE * len(rows))
        middle, end = train + evaluation, train + 2 * evaluation
        clients.append({"train": rows[:train], "val": rows[train:middle], "test": rows[middle:end]})
    return clients
