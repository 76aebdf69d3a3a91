"""VICReg: views should agree, every output should keep its variance, outputs should be uncorrelated. No standardisation."""

import numpy as np

AGREEMENT = 25.0
VARIANCE = 25.0
COVARIANCE = 1.0


def config():
    return {
        "steps": 300,
        "batch_size": 256,
        "outputs": 64,
        "learning_rate": 0.005,
        "decay": "cosine",
        "weight_decay": 0.0,
        "noise": 0.0,
        "mask": 0.0,
    }


def loss_and_grad(z1, z2):
    rows, outputs = z1.shape
    gap = z1 - z2
    value = AGREEMENT * np.mean(gap**2)
    gradients = []
    for z, sign in ((z1, 1.0), (z2, -1.0)):
        centred = z - z.mean(axis=0)
        spread = np.sqrt(centred.var(axis=0) + 1e-4)
        shared = centred.T @ centred / (rows - 1)
        np.fill_diagonal(shared, 0.0)
        value += VARIANCE * np.maximum(1 - spread, 0).mean() + COVARIANCE * (shared**2).sum() / outputs
        gradient = sign * 2 * AGREEMENT * gap / (rows * outputs)
        gradient = gradient - VARIANCE * (spread < 1) * centred / (spread * rows * outputs)
        gradients.append(gradient + COVARIANCE * 4 * centred @ shared / ((rows - 1) * outputs))
    return value, *gradients
