"""Runs in the sandbox: one client in one round, or the server in one round, for each repetition in turn."""

import numpy as np

NAMES = ("W1", "b1", "W2", "b2")


def perform(candidate, inputs):
    algorithm = candidate.load("algorithm.py")
    work = _client if inputs["task"] == "client" else _server
    answers = [work(algorithm, inputs, number) for number in range(len(inputs["weights_W1"]))]
    return {name: np.stack([answer[name] for answer in answers]) for name in answers[0]}


def _client(algorithm, inputs, number):
    weights, state, shared = (_taken(inputs, prefix, number) for prefix in ("weights_", "client_", "server_"))
    X, y = inputs["X"].copy(), inputs["y"].copy()
    weights, state = algorithm.client_update(weights, X, y, state, shared, inputs["round"], inputs["seed"] + number)
    return _named("weights_", weights) | _named("client_", state)


def _server(algorithm, inputs, number):
    weights, state = _taken(inputs, "weights_", number), _taken(inputs, "server_", number)
    stacked = _taken(inputs, "uploads_", number)
    uploads = [{name: stacked[name][k] for name in NAMES} for k in range(len(inputs["sizes"]))]
    weights, state = algorithm.server_update(weights, uploads, inputs["sizes"].copy(), state, inputs["round"])
    return _named("weights_", weights) | _named("server_", state)


def _taken(inputs, prefix, number):
    return {name[len(prefix) :]: value[number].copy() for name, value in inputs.items() if name.startswith(prefix)}


def _named(prefix, arrays):
    return {f"{prefix}{name}": np.asarray(value) for name, value in arrays.items()}
