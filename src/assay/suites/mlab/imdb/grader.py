from assay.tasks.mlab.predictions import Predictions, Table, accuracy
from assay.tasks.mlab.splits import Split3, halves, shuffled

LABELS = {"neg": "0", "pos": "1"}
REVIEWS = Predictions("mlab/imdb", ("label",), accuracy("label", ("0", "1")))
prepare, grade = REVIEWS.prepare, REVIEWS.grade


def arrange(originals):
    """The published division keeps films apart, so training reviews stay such, and the test set is halved."""
    val, test = halves(_reviews(originals, "test"))
    return Table(REVIEWS, "", "id").arranged(Split3(_reviews(originals, "train"), val, test))


def _reviews(originals, part):
    folder = originals / "aclImdb" / part
    files = [(file, label) for kind, label in LABELS.items() for file in (folder / kind).glob("*.txt")]
    # names of files hold the rating: ids are numbers in an order of chance
    mixed = shuffled(sorted(files))
    return [
        {"id": str(number), "text": file.read_text(encoding="utf-8"), "label": label}
        for number, (file, label) in enumerate(mixed)
    ]
