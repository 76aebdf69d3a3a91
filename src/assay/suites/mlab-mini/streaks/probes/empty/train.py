"""Marks nothing: perfect on every image without a streak, if images were scored one by one."""

import numpy as np
from encoding import write_submission

test = np.load("test.npz")
answers = np.zeros(test["images"].shape[:3], dtype=bool)
write_submission("submission.csv", test["ids"], answers)
