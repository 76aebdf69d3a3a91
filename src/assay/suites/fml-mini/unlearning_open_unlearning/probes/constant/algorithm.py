"""Probe: give the model back as it is."""


def unlearn(weights, forget_X, forget_y, retain_X, retain_y, seed):
    return weights
