"""Real data that experiments may use offline. Inside the sandbox bundled data sets are hidden, so it is handed in."""

import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assay.errors import unknown


@dataclass(frozen=True)
class DataSet:
    """A table of features and labels that comes with scikit-learn."""

    loader: str
    """Its name in `sklearn.datasets`."""
    said: str
    """What it is, for a reader."""


DATA: Mapping[str, DataSet] = {
    "digits": DataSet("load_digits", "1,797 images of handwritten digits, 8 by 8 pixels, ten classes"),
    "wine": DataSet("load_wine", "178 wines with 13 chemical measurements, three classes"),
    "breast_cancer": DataSet("load_breast_cancer", "569 tumours with 30 measurements of cell nuclei, two classes"),
}


def data_file(name: str) -> str:
    """Where an experiment finds a data set, from its working folder."""
    return f"data/{name}.npz"


def data_files(names: Iterable[str]) -> dict[str, bytes]:
    """Each data set as a file with the arrays `features` and `labels`. Raises UsageError for a name there is not."""
    return {data_file(name): _packed(name) for name in names}


def _packed(name: str) -> bytes:
    import numpy as np
    from sklearn import datasets

    if name not in DATA:
        raise unknown("data set", name, DATA, ", ".join(DATA))
    features, labels = getattr(datasets, DATA[name].loader)(return_X_y=True)
    buffer = io.BytesIO()
    np.savez(buffer, features=features, labels=labels)
    return buffer.getvalue()
