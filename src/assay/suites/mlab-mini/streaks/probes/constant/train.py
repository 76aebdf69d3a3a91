"""Marks every pixel."""

import numpy as np
from encoding import write_submission

test = np.load("test.npz")
answers = np.ones(test["images"].shape[:3], dtype=bool)
write_submission("submission.csv", test["ids"], answers)
