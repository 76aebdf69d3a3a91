import numpy as np
from scipy.signal import correlate

from assay.tasks.files import as_files
from assay.tasks.grader import InvalidOutput
from assay.tasks.mlab.arrays import array_of, as_npy
from assay.tasks.mlab.speed import take_turns, time_ratio

ROWS, SIDE, STRIDE, PADDING = 32, 64, 2, 2
SECRETS = {"val": 7_310_552, "test": 2_648_093}


def conduct(perform, split, seed):
    rng = np.random.default_rng([SECRETS[split], seed])
    images, filters, bias = rng.normal(size=(ROWS, SIDE, SIDE, 3)), rng.normal(size=(3, 3, 3, 8)), rng.normal(size=8)
    wanted = _convolved(images, filters, bias)

    def check(told, _):
        if not np.allclose(array_of(told, "output.npy", wanted.shape), wanted, rtol=0, atol=1e-8):
            raise InvalidOutput("output.npy is not the result of the convolution")

    inputs = {"images.npy": as_npy(images), "filters.npy": as_npy(filters), "bias.npy": as_npy(bias)}
    return take_turns(perform, as_files(inputs), check)


def grade(outputs, split, seed):
    return time_ratio(outputs)


def _convolved(images, filters, bias):
    padded = np.pad(images, ((0, 0), (PADDING, PADDING), (PADDING, PADDING), (0, 0)))
    maps = [correlate(padded, filters[None, :, :, :, n], mode="valid", method="direct") for n in range(8)]
    return np.maximum(np.stack(maps, axis=-1)[:, ::STRIDE, ::STRIDE, 0] + bias, 0)
