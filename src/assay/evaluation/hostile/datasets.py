"""Gets at the data sets that scikit-learn ships, labels and all: by their files, and by their loader."""

import importlib.util
import sys
from pathlib import Path


def attack(task_folder: str) -> list[str]:
    spec = importlib.util.find_spec("sklearn")
    reached = []
    for root in (spec and spec.submodule_search_locations) or ():
        for name in ("digits.csv.gz", "iris.csv", "breast_cancer.csv", "wine_data.csv"):
            file = Path(root) / "datasets" / "data" / name
            try:
                with file.open("rb") as opened:
                    reached += [f"read {file}"] if opened.read(1) else []
            except OSError:
                continue
    # the loader only where the library is there already: importing it is slow, and its files were tried above
    if "sklearn" in sys.modules:
        try:
            from sklearn.datasets import load_digits

            reached += [f"loaded {len(load_digits().target)} labelled digits"]
        except Exception:
            pass
    return reached
