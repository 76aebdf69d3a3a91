"""Self-supervised learning from pairs of views: choose the loss and the settings; training.py does the training.

Interface
  config()               -> settings of the training
  loss_and_grad(z1, z2)  outputs for two views of the same rows, (batch, outputs) each
                         -> value of the loss, its gradient by z1, its gradient by z2

Barlow Twins with a tenfold weight on decorrelation, all steps, and a larger rate that decays. Each output should agree between the views and be uncorrelated with the other outputs.
"""

import numpy as np

STEPS = 300
BATCH_SIZE = 256
OUTPUTS = 64
LEARNING_RATE = 0.005
DECAY = "cosine"
WEIGHT_DECAY = 0.0
NOISE = 0.0
MASK = 0.0
OFF_DIAGONAL = 0.05


def config():
    return {
        "steps": STEPS,
        "batch_size": BATCH_SIZE,
        "outputs": OUTPUTS,
        "learning_rate": LEARNING_RATE,
        "decay": DECAY,
        "weight_decay": WEIGHT_DECAY,
        "noise": NOISE,
        "mask": MASK,
    }


def loss_and_grad(z1, z2):
    rows, outputs = z1.shape
    (a, scale_a), (b, scale_b) = standardise(z1), standardise(z2)
    off = a.T @ b / rows - np.eye(outputs)
    weight = np.where(np.eye(outputs) > 0, 1.0, OFF_DIAGONAL)
    G = 2 * weight * off / rows
    return (weight * off**2).sum(), unstandardise(b @ G.T, a, scale_a), unstandardise(a @ G, b, scale_b)


def standardise(z):
    scale = z.std(axis=0) + 1e-5
    return (z - z.mean(axis=0)) / scale, scale


def unstandardise(gradient, unit, scale):
    """The gradient by z from the gradient by the standardised z."""
    return (gradient - gradient.mean(axis=0) - unit * (gradient * unit).mean(axis=0)) / scale
