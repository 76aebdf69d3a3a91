"""Marks pixels by chance, about as many as there are."""

import numpy as np
from encoding import write_submission

test = np.load("test.npz")
answers = np.random.default_rng(0).random(test["images"].shape[:3]) < 0.04
write_submission("submission.csv", test["ids"], answers)
