import numpy as np

from assay.errors import UsageError
from assay.tasks.installed import Arrangement
from assay.tasks.mlab.arrays import as_npy
from assay.tasks.mlab.predictions import Predictions, accuracy
from assay.tasks.mlab.splits import halves

RECORD = 1 + 3 * 32 * 32
IMAGES = Predictions("mlab/cifar10", ("label",), accuracy("label", tuple("0123456789")))
prepare, grade = IMAGES.prepare, IMAGES.grade


def arrange(originals):
    """The published training images stay such, and the test images are halved."""
    folder = originals / "cifar-10-batches-bin"
    images, labels = _read(sorted(folder.glob("data_batch_*.bin")))
    test_images, test_labels = _read([folder / "test_batch.bin"])

    def held(chosen):
        rows = [{"id": str(n), "label": str(test_labels[place])} for n, place in enumerate(chosen)]
        return IMAGES.held({"test_images.npy": as_npy(test_images[chosen])}, rows)

    val, test = (held(part) for part in halves(range(len(test_images))))
    return Arrangement({"train_images.npy": as_npy(images), "train_labels.npy": as_npy(labels)}, val, test)


def _read(files):
    """A record is a byte of label and three planes of 32 by 32 bytes."""
    data = np.frombuffer(b"".join(file.read_bytes() for file in files), np.uint8)
    if len(data) % RECORD or not len(data):
        raise UsageError(f"{files[0].parent}: {len(data)} bytes are no whole number of records", "fetch it again")
    records = data.reshape(-1, RECORD)
    if records[:, 0].max() > 9:
        raise UsageError(f"{files[0].parent}: a label is larger than 9", "this is not the binary version of CIFAR-10")
    return records[:, 1:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1), records[:, 0].astype(np.int64)
