"""Trusted side of generalization_officehome: digits in five styles, three to learn from and one unseen style a split."""

from functools import cache

import numpy as np
from scipy import ndimage

from assay.tasks.digits import digits
from assay.tasks.expect import labels, same_answers
from assay.tasks.grader import Grade

SECRET = {"rows": 640_118_537, "photo": 11_903, "clip": 52_361, "sketch": 77_269, "paint": 390_571, "art": 905_347}
SOURCES = ("photo", "clip", "sketch")
TARGET = {"val": "paint", "test": "art"}
CLASSES, SIDE, ROWS, TRAIN = 10, 16, 359, 300
REPEATS = 3
RECHECKED = ROWS // 10


def conduct(perform, split, seed):
    """Three trainings on random subsets; a tenth of the images of the first is classified again without the others."""
    images, _ = _domain(TARGET[split])
    outputs = {}
    for repeat in range(REPEATS):
        inputs = {**_training(seed, repeat), "X_eval": images}
        outputs[f"classes{repeat}"] = labels(perform(inputs), "classes", ROWS, CLASSES)
        if repeat == 0:
            chosen = np.random.default_rng([SECRET[TARGET[split]], seed]).choice(ROWS, RECHECKED, replace=False)
            again = labels(perform({**inputs, "X_eval": images[chosen]}), "classes", RECHECKED, CLASSES)
            same_answers(outputs["classes0"][chosen], again)
    return outputs


def grade(outputs, split, seed):
    _, truth = _domain(TARGET[split])
    values = [np.mean(labels(outputs, f"classes{k}", ROWS, CLASSES) == truth) for k in range(REPEATS)]
    return Grade(
        metrics={"avg_acc_mean": float(np.mean(values))},
        stderrs={"avg_acc_mean": float(np.std(values, ddof=1) / np.sqrt(REPEATS))},
    )


def _training(seed, repeat):
    """Images and labels of the three source styles, in random order within each."""
    rng = np.random.default_rng([SECRET["rows"], seed, repeat])
    inputs = {"seed": int(rng.integers(2**31))}
    for k, style in enumerate(SOURCES):
        images, truth = _domain(style)
        rows = rng.permutation(ROWS)[:TRAIN]
        inputs |= {f"X{k}": images[rows], f"y{k}": truth[rows]}
    return inputs


@cache
def _domain(style):
    """A fifth of the digits, each digit in one style only: images of 16 × 16 in [0, 1], and labels."""
    images, truth = digits()
    position = [*SOURCES, *TARGET.values()].index(style)
    rows = np.random.default_rng(SECRET["rows"]).permutation(len(truth))[position * ROWS : (position + 1) * ROWS]
    large = np.clip(ndimage.zoom(images[rows].reshape(-1, 8, 8), (1, 2, 2), order=1), 0, 1)
    return _STYLES[style](large, np.random.default_rng(SECRET[style])), truth[rows]


def _photo(images, rng):
    return images


def _clip(images, rng):
    return (images > 0.45).astype(float)


def _sketch(images, rng):
    return _full_range(np.array([np.hypot(ndimage.sobel(image, 0), ndimage.sobel(image, 1)) for image in images]))


def _paint(images, rng):
    blurred = _full_range(ndimage.gaussian_filter(images, (0, 1, 1)))
    contrast = rng.uniform(0.4, 1.0, (len(images), 1, 1))
    offset = rng.uniform(0.0, 0.4, (len(images), 1, 1))
    return np.clip(contrast * blurred + offset + rng.normal(0, 0.15, images.shape), 0, 1)


def _art(images, rng):
    turned = [ndimage.rotate(image, rng.uniform(-25, 25), reshape=False, order=1) for image in images]
    texture = ndimage.gaussian_filter(rng.random(images.shape), (0, 2, 2))
    texture = (texture - texture.min()) / (texture.max() - texture.min())
    return np.clip(0.55 * np.array(turned) + 0.6 * texture, 0, 1)


def _full_range(images):
    return images / (images.max(axis=(1, 2), keepdims=True) + 1e-9)


_STYLES = {"photo": _photo, "clip": _clip, "sketch": _sketch, "paint": _paint, "art": _art}
