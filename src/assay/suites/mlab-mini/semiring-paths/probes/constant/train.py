"""Says of every target that its source is the node before it."""

import numpy as np
from submission import write_submission

edges = np.load("test.npz")["edges"]
size = edges.shape[1]
write_submission("submission.csv", np.broadcast_to(np.arange(size)[:, None], edges.shape))
