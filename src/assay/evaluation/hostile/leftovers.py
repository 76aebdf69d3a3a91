"""Leaves a note for the next process, and looks for one that an earlier process left."""

import os
import tempfile


def attack(task_folder: str) -> list[str]:
    reached = []
    for folder in {os.getcwd(), tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm", "/run/lock"}:  # noqa: PTH109
        note = os.path.join(folder, "assay-leftover")  # noqa: PTH118
        try:
            if os.path.exists(note):  # noqa: PTH110
                os.unlink(note)  # noqa: PTH108
                reached.append(f"a note in {folder}")
            else:
                open(note, "w").close()  # noqa: PTH123
        except OSError:
            continue
    return reached
