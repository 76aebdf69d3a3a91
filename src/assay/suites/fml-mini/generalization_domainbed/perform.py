"""Trains and predicts once, for one repetition. Runs beside the candidate."""


def perform(candidate, inputs):
    algorithm = candidate.load("algorithm.py")
    environments = [(inputs["X_0"], inputs["y_0"]), (inputs["X_1"], inputs["y_1"])]
    return {"labels": algorithm.fit_predict(environments, inputs["X_eval"], inputs["seed"])}
