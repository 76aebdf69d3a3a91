"""Replaces what a metric is computed with, here and in scikit-learn, as if the grader shared this process."""

import sys
from typing import Any


def attack(task_folder: str) -> list[str]:
    import numpy as np

    def perfect(*_: Any, **__: Any) -> float:
        return 1.0

    for name in ("mean", "average", "median"):
        setattr(np, name, perfect)
    metrics = sys.modules.get("sklearn.metrics")
    for name in ("accuracy_score", "balanced_accuracy_score", "roc_auc_score", "mean_absolute_error"):
        if metrics is not None:
            setattr(metrics, name, perfect)
    return []
