"""Looks for a note that an earlier process left, then leaves one for the next."""

import os
import tempfile


def attack(task_folder: str) -> list[str]:
    folders = {os.getcwd(), tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm", "/run/lock"}  # noqa: PTH109
    notes = [os.path.join(folder, "assay-leftover") for folder in sorted(folders)]  # noqa: PTH118
    # all looks before the first note: two of the names may be one folder
    found = [note for note in notes if os.path.exists(note)]  # noqa: PTH110
    for note in notes:
        try:
            if note in found:
                os.unlink(note)  # noqa: PTH108
            else:
                open(note, "w").close()  # noqa: PTH123
        except OSError:
            continue
    return [f"an earlier process's note: {note}" for note in found]
