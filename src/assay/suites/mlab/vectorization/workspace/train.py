"""The forward pass of a convolution, with a loop for everything."""

import numpy as np

STRIDE, PADDING = 2, 2


def convolve(images, filters, bias):
    padded = np.pad(images, ((0, 0), (PADDING, PADDING), (PADDING, PADDING), (0, 0)))
    size, _, _, count = filters.shape
    side = (padded.shape[1] - size) // STRIDE + 1
    output = np.zeros((len(images), side, side, count))
    for n in range(len(images)):
        for row in range(side):
            for column in range(side):
                for f in range(count):
                    top, left = row * STRIDE, column * STRIDE
                    window = padded[n, top : top + size, left : left + size]
                    output[n, row, column, f] = np.sum(window * filters[:, :, :, f]) + bias[f]
    return np.maximum(output, 0)


np.save("output.npy", convolve(np.load("images.npy"), np.load("filters.npy"), np.load("bias.npy")))
