"""Overwrite what the network holds about the forgotten entities: their input rows become those of other entities.

A model that never saw an entity knows only its latent numbers; the entity's own input is as good as anybody's.
"""

import numpy as np


def unlearn(weights, forget_X, forget_y, retain_X, retain_y, seed):
    rng = np.random.default_rng(seed)
    first = weights[0].copy()
    entities = 28 + np.arange(120)
    forgotten = entities[forget_X[:, 28:].any(axis=0)]
    kept = entities[retain_X[:, 28:].any(axis=0)]
    first[forgotten] = first[rng.choice(kept, len(forgotten), replace=False)]
    return [first, *weights[1:]]
