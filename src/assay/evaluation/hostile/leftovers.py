"""Looks for a note that an earlier process left, then leaves one for the next."""

import tempfile
from pathlib import Path


def attack(task_folder: str) -> list[str]:
    folders = {str(Path.cwd()), tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm", "/run/lock"}
    notes = [Path(folder) / "assay-leftover" for folder in sorted(folders)]
    # all looks before the first note: two of the names may be one folder
    found = [note for note in notes if note.exists()]
    for note in notes:
        try:
            if note in found:
                note.unlink()
            else:
                note.touch()
        except OSError:
            continue
    return [f"an earlier process's note: {note}" for note in found]
