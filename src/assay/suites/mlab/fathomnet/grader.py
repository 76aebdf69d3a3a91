import numpy as np

from assay.errors import UsageError
from assay.tasks.grader import InvalidOutput
from assay.tasks.installed import Arrangement
from assay.tasks.mlab.arrays import as_npy
from assay.tasks.mlab.predictions import SUBMISSION, Predictions, mean
from assay.tasks.mlab.splits import divide, read_rows, write_rows

SIDE = 64
FIRST = 20


def map_at_20(truth, told):
    """Average precision of the first 20, by the number of true categories or 20; one told twice counts once."""
    values = []
    for wanted, answer in zip(truth["categories"], told["categories"], strict=True):
        ranked = list(dict.fromkeys(answer.split()))
        if len(ranked) > FIRST or not all(word.isdigit() for word in ranked):
            raise InvalidOutput(f"{SUBMISSION}: '{answer[:50]}' is not a list of at most {FIRST} numbers")
        right = np.isin(ranked, wanted.split())
        precision = np.cumsum(right) / np.arange(1, len(ranked) + 1)
        values.append(precision[right].sum() / min(len(wanted.split()), FIRST))
    return mean("map_at_20", np.array(values))


ANIMALS = Predictions("mlab/fathomnet", ("categories",), map_at_20)
prepare, grade = ANIMALS.prepare, ANIMALS.grade


def arrange(originals):
    listed = read_rows(originals / "multilabel_classification" / "train.csv", ("id", "categories"))
    images = {file.stem: file for file in sorted((originals / "images").iterdir())}
    rows = [{"id": row["id"], "categories": _plain(row["categories"])} for row in listed if row["id"] in images]
    if len(rows) < 0.9 * len(listed):
        raise UsageError(f"{originals / 'images'} has {len(rows)} of {len(listed)} training images", "fetch the others")
    parts = divide([row for row in rows if row["categories"]])

    def pixels(chosen):
        return as_npy(np.stack([_shrunk(images[row["id"]]) for row in chosen]))

    def held(chosen):
        return ANIMALS.held({"test_images.npy": pixels(chosen), "test.csv": write_rows(chosen, ("id",))}, chosen)

    given = {
        "train_images.npy": pixels(parts.train),
        "train.csv": write_rows(parts.train, ("id", "categories")),
        "category_key.csv": (originals / "category_key.csv").read_bytes(),
    }
    return Arrangement(given, held(parts.val), held(parts.test))


def _plain(categories):
    """'[1.0, 52.0]' as '1 52'."""
    return " ".join(str(int(float(word))) for word in categories.strip("[] ").replace(",", " ").split())


def _shrunk(file):
    try:
        from PIL import Image
    except ImportError:
        raise UsageError("reading photographs needs the package pillow", "pip install pillow") from None
    try:
        with Image.open(file) as image:
            return np.asarray(image.convert("RGB").resize((SIDE, SIDE)), np.uint8)
    except OSError as error:
        raise UsageError(f"{file} is no photograph: {error}", "fetch it again") from None
