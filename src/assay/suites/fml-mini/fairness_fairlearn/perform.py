"""Trains and predicts once, for one repetition. Runs beside the candidate."""


def perform(candidate, inputs):
    algorithm = candidate.load("algorithm.py")
    names = ("X", "y", "group", "X_eval", "group_eval", "seed")
    return {"labels": algorithm.fit_predict(*(inputs[name] for name in names))}
