"""The forward pass of a convolution layer with rectified outputs, one output value at a time.

Interface: forward(images, kernels, bias, stride, padding) -> maps
    images   (images, height, width, channels)
    kernels  (size, size, channels, filters)
    bias     (filters,)
    maps     (images, rows, columns, filters), rows = (height + 2 padding - size) // stride + 1, columns likewise
"""

import numpy as np


def forward(images, kernels, bias, stride, padding):
    padded = np.pad(images, ((0, 0), (padding, padding), (padding, padding), (0, 0)))
    size, filters = kernels.shape[0], kernels.shape[3]
    rows = (padded.shape[1] - size) // stride + 1
    columns = (padded.shape[2] - size) // stride + 1
    maps = np.zeros((len(images), rows, columns, filters))
    for image in range(len(images)):
        for row in range(rows):
            for column in range(columns):
                top, left = row * stride, column * stride
                window = padded[image, top : top + size, left : left + size]
                for number in range(filters):
                    maps[image, row, column, number] = np.sum(window * kernels[..., number]) + bias[number]
    return np.maximum(maps, 0.0)
