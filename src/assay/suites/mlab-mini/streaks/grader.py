"""Trusted side of streaks: noisy colour images with thin lines and square distractors; one Dice over all pixels."""

from functools import lru_cache

import numpy as np
from scipy.ndimage import gaussian_filter

from assay.tasks.files import as_files, as_npz, table_of
from assay.tasks.grader import Grade, InvalidOutput

TRAIN_SECRET = 35_218_907
SECRET = {"val": 72_640_153, "test": 18_905_437}

TRAIN_IMAGES, EVAL_IMAGES = 220, 120
SIDE = 32
NO_LINE = 0.4
LINE_COLOUR = np.array([0.42, 0.30, -0.12])
BLOCK_COLOUR = np.array([0.35, 0.25, -0.10])
NOISE = 0.16


def prepare(split, seed):
    images, masks = _scenes(TRAIN_IMAGES, np.random.default_rng([TRAIN_SECRET, seed]))
    eval_images, _ = _evaluation(split)
    return as_files(
        {
            "train.npz": as_npz(images=images, masks=masks),
            "test.npz": as_npz(images=eval_images, ids=np.array(_IDS)),
        }
    )


def grade(outputs, split, seed):
    table = table_of(outputs, "submission.csv", _IDS, ["encoded_pixels"])
    answer = np.stack([_decoded(text, name) for text, name in zip(table["encoded_pixels"], _IDS, strict=True)])
    _, truth = _evaluation(split)
    both, marked, wanted = float(np.sum(answer & truth)), float(answer.sum()), float(truth.sum())
    precision = both / marked if marked else np.nan
    return Grade({"dice": 2 * both / (marked + wanted), "precision": precision, "recall": both / wanted})


_IDS = [f"s{number:03d}" for number in range(EVAL_IMAGES)]


@lru_cache(maxsize=2)
def _evaluation(split):
    return _scenes(EVAL_IMAGES, np.random.default_rng(SECRET[split]))


def _scenes(number, rng):
    pairs = [_scene(rng) for _ in range(number)]
    return np.array([image for image, _ in pairs], np.float32), np.array([mask for _, mask in pairs])


def _scene(rng):
    """An image, and which of its pixels lie on a line."""
    mask = np.zeros((SIDE, SIDE), dtype=bool)
    for _ in range(0 if rng.random() < NO_LINE else rng.integers(1, 4)):
        _add_line(mask, rng)
    blocks = np.zeros((SIDE, SIDE))
    for row, column in rng.integers(3, SIDE - 3, size=(rng.integers(4), 2)):
        blocks[row - 2 : row + 3, column - 2 : column + 3] = 1
    # smoothing leaves about a fourteenth of the noise's spread
    ground = np.stack([gaussian_filter(rng.normal(size=(SIDE, SIDE)), 4) for _ in range(3)], axis=-1)
    image = 0.5 + 0.42 * ground + rng.uniform(0.7, 1.3) * mask[..., None] * LINE_COLOUR
    return image + blocks[..., None] * BLOCK_COLOUR + rng.normal(0, NOISE, image.shape), mask


def _add_line(mask, rng):
    """Ten to 28 pixels long, one or two wide, in any direction."""
    angle, length = rng.uniform(0, np.pi), rng.uniform(10, 28)
    centre, double = rng.uniform(4, SIDE - 4, size=2), rng.random() < 0.5
    along = np.linspace(-length / 2, length / 2, int(3 * length))
    rows, columns = np.rint(centre[:, None] + along * np.array([[np.cos(angle)], [np.sin(angle)]])).astype(int)
    # the second pixel lies across the line
    down, right = (0, 1) if abs(np.cos(angle)) > abs(np.sin(angle)) else (1, 0)
    for step in range(1 + double):
        r, c = rows + step * down, columns + step * right
        inside = (r >= 0) & (r < SIDE) & (c >= 0) & (c < SIDE)
        mask[r[inside], c[inside]] = True


def _decoded(text, name):
    """The mask of one run-length string. Raises InvalidOutput that names the image."""
    flat = np.zeros(SIDE * SIDE, dtype=bool)
    words = [] if text.strip() == "-" else text.split()
    if not words and text.strip() != "-":
        raise InvalidOutput(f"submission.csv, id {name}: no pixels are written as '-', not as an empty field")
    if len(words) % 2 or not all(word.isascii() and word.isdecimal() and len(word) <= 4 for word in words):
        raise InvalidOutput(f"submission.csv, id {name}: expected pairs of whole numbers, start and length")
    free = 1
    for start, length in zip(map(int, words[::2]), map(int, words[1::2]), strict=True):
        if start < free or length < 1 or start + length - 1 > len(flat):
            raise InvalidOutput(
                f"submission.csv, id {name}: run '{start} {length}' is empty, leaves 1 … {len(flat)} or is out of order"
            )
        flat[start - 1 : start - 1 + length] = True
        free = start + length
    return flat.reshape(SIDE, SIDE, order="F")
