"""Says a random node of every pair."""

import numpy as np
from submission import write_submission

edges = np.load("test.npz")["edges"]
size = edges.shape[1]
write_submission("submission.csv", np.random.default_rng(0).integers(size, size=edges.shape))
