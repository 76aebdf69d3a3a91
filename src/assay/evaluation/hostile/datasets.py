"""Gets at the data sets that scikit-learn ships, labels and all: by their loader, and past it by their files."""

import importlib.util
import os
import sys


def attack(task_folder: str) -> list[str]:
    spec = importlib.util.find_spec("sklearn")
    if spec is None or not spec.submodule_search_locations:
        return []
    reached = []
    for root in spec.submodule_search_locations:
        for name in ("digits.csv.gz", "iris.csv", "breast_cancer.csv", "wine_data.csv"):
            file = os.path.join(root, "datasets", "data", name)  # noqa: PTH118
            try:
                with open(file, "rb") as opened:  # noqa: PTH123
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
