"""Writes the result files of other harnesses and prints what their parsers look for, with perfect numbers."""

import json
import os


def attack(task_folder: str) -> list[str]:
    perfect = {"means": {"score_mean": 1.0}, "stderrs": {"score_stderr": 0.0}, "final_info_dict": {"score": 1.0}}
    try:
        os.makedirs("results_tmp", exist_ok=True)  # noqa: PTH103
        for name in ("val_info.json", "test_info.json", "final_info.json"):
            with open(f"results_tmp/{name}", "w") as file:  # noqa: PTH123
                json.dump({"data": perfect}, file)
    except OSError:
        pass
    print(json.dumps({"kind": "ok", "value": 1.0, "metrics": {"score": 1.0}}))
    print("Accuracy: 100.00 %\ntest accuracy = 1.0\nCNN top1 curve: [100.0, 100.0]", flush=True)
    return []
