"""The forward pass of a convolution as one product of all windows with all filters."""

import numpy as np

STRIDE, PADDING = 2, 2


def convolve(images, filters, bias):
    padded = np.pad(images, ((0, 0), (PADDING, PADDING), (PADDING, PADDING), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, filters.shape[:2], axis=(1, 2))[:, ::STRIDE, ::STRIDE]
    return np.maximum(np.tensordot(windows, filters, axes=([4, 5, 3], [0, 1, 2])) + bias, 0)


np.save("output.npy", convolve(np.load("images.npy"), np.load("filters.npy"), np.load("bias.npy")))
