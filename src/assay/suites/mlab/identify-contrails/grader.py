import numpy as np

from assay.errors import UsageError
from assay.tasks.grader import Grade, InvalidOutput
from assay.tasks.installed import Arrangement
from assay.tasks.mlab.arrays import as_npy
from assay.tasks.mlab.predictions import SUBMISSION, Predictions
from assay.tasks.mlab.splits import halves, shuffled, write_rows

SIDE = 256
FRAME = 4
"""The labelled one of eight."""
TRAIN, HELD = 600, 200
"""How many records are used at most: what travels into the sandbox is bounded."""
BOUNDS = ((-4.0, 2.0), (-4.0, 5.0), (243.0, 303.0))
"""Of the ash colours: differences of two bands and a temperature, in kelvin."""


def global_dice(truth, told):
    """Over all pixels of all images: an empty image is no free point."""
    both = total = 0
    for wanted, answer in zip(truth["encoded_pixels"], told["encoded_pixels"], strict=True):
        a, b = _decoded(wanted), _decoded(answer)
        both += int((a & b).sum())
        total += int(a.sum() + b.sum())
    return Grade({"global_dice": 2 * both / total if total else 0.0})


TRAILS = Predictions("mlab/identify-contrails", ("encoded_pixels",), global_dice)
prepare, grade = TRAILS.prepare, TRAILS.grade


def arrange(originals):
    """Kaggle's validation records, which have labels, are halved into val and test."""
    train = shuffled(_records(originals / "train"))[:TRAIN]
    val, test = halves(shuffled(_records(originals / "validation"))[:HELD])

    def held(records):
        rows = [{"id": record.name, "encoded_pixels": _encoded(_mask(record))} for record in records]
        if all(row["encoded_pixels"] == "-" for row in rows):
            raise UsageError(f"no trail in {len(rows)} records of {originals / 'validation'}", "download more records")
        images = as_npy(np.stack([_image(record) for record in records]))
        return TRAILS.held({"test_images.npy": images, "test.csv": write_rows(rows, ("id",))}, rows)

    given = {
        "train_images.npy": as_npy(np.stack([_image(record) for record in train])),
        "train_masks.npy": as_npy(np.stack([_mask(record) for record in train])),
    }
    return Arrangement(given, held(val), held(test))


def _records(folder):
    return sorted(file.parent for file in folder.glob("*/human_pixel_masks.npy"))


def _image(record):
    """The three colours in which people marked trails."""
    eleven, fourteen, fifteen = (_load(record / f"band_{n}.npy")[:, :, FRAME] for n in (11, 14, 15))
    channels = (fifteen - fourteen, fourteen - eleven, fourteen)
    scaled = [np.clip((c - low) / (high - low), 0, 1) for c, (low, high) in zip(channels, BOUNDS, strict=True)]
    return (255 * np.stack(scaled, axis=-1)).astype(np.uint8)


def _mask(record):
    return _load(record / "human_pixel_masks.npy")[:, :, 0].astype(np.uint8)


def _load(file):
    try:
        array = np.load(file, allow_pickle=False)
    except (ValueError, OSError, EOFError) as error:
        raise UsageError(f"{file} cannot be read: {error}", "download it again") from None
    if array.ndim != 3 or array.shape[:2] != (SIDE, SIDE):
        raise UsageError(f"{file} has shape {array.shape}, expected {SIDE} × {SIDE} × n", "download it again")
    return array


def _encoded(mask):
    flat = np.concatenate([[0], mask.T.ravel(), [0]])
    edges = np.flatnonzero(np.diff(flat))
    return " ".join(f"{start + 1} {end - start}" for start, end in edges.reshape(-1, 2)) or "-"


def _decoded(text):
    mask = np.zeros(SIDE * SIDE, bool)
    words = [] if text.strip() == "-" else text.split()
    if len(words) % 2 or not all(word.isdigit() and len(word) < 9 for word in words):
        raise InvalidOutput(f"{SUBMISSION}: '{text[:50]}' is not pairs of start and length, nor '-'")
    for start, length in zip(map(int, words[::2]), map(int, words[1::2]), strict=True):
        if start < 1 or length < 1 or start + length - 1 > mask.size:
            raise InvalidOutput(f"{SUBMISSION}: a run of pixels from {start}, {length} long, is not inside the image")
        mask[start - 1 : start - 1 + length] = True
    return mask
