"""`assay task new`: a folder that is a sound task already, to be changed into another."""

import shutil
from pathlib import Path

from assay.errors import UsageError
from assay.tasks.load import load_task

TEMPLATE = Path(__file__).parent / "template"
_ID = "example/curves"


def new_task(folder: Path, id: str) -> None:
    """Write the example task under an id of one's own. It passes `assay task check` as it is.

    Raises UsageError, and leaves nothing behind, if the folder is there already and not empty, or if the id is not one.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is there already", "name a folder that does not exist yet, or an empty one")
    existed = folder.exists()
    shutil.copytree(TEMPLATE, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    spec = folder / "task.toml"
    spec.write_text(spec.read_text().replace(f'id = "{_ID}"', f'id = "{id}"'))
    try:
        load_task(folder)
    except UsageError:
        shutil.rmtree(folder)
        if existed:
            folder.mkdir()
        raise UsageError(
            f"'{id}' is not a task id", "lower-case letters, digits, _ . and -, with one / at most; for example my/task"
        ) from None
