"""A fast layer whose filters are in another order: right numbers in wrong places."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def forward(images, kernels, bias, stride, padding):
    order = np.random.default_rng(0).permutation(len(bias))
    padded = np.pad(images, ((0, 0), (padding, padding), (padding, padding), (0, 0)))
    windows = sliding_window_view(padded, kernels.shape[:2], axis=(1, 2))[:, ::stride, ::stride]
    return np.maximum(np.tensordot(windows, kernels[..., order], axes=([4, 5, 3], [0, 1, 2])) + bias[order], 0.0)
