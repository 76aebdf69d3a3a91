"""Self-supervised learning from pairs of views: choose the loss and the settings; training.py does the training.

Interface
  config()               -> settings of the training
  loss_and_grad(z1, z2)  outputs for two views of the same rows, (batch, outputs) each
                         -> value of the loss, its gradient by z1, its gradient by z2

Probe: gradients by chance alone.
"""

import numpy as np

STEPS = 150
BATCH_SIZE = 96
OUTPUTS = 64
LEARNING_RATE = 0.0003
DECAY = "constant"
WEIGHT_DECAY = 0.0
NOISE = 0.02
MASK = 0.02


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
    rng = np.random.default_rng(0)
    return 0.0, rng.normal(size=z1.shape), rng.normal(size=z2.shape)
