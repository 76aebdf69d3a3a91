"""Texts that are not ours to give: loaded by the user from a copy of their own, checked against their hashes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.errors import AssayError, UsageError
from assay.files import digest, write_whole
from assay.tasks.installed import data_folder


@dataclass(frozen=True)
class Loaded:
    """What loading a suite's texts found."""

    suite: str
    folder: Path
    count: int
    ignored: tuple[str, ...]
    """Files of the source that belong to no brief."""


def installed_text(suite: str, name: str, sha256: str) -> str | None:
    """A loaded text; None if it is not there. Raises AssayError if it was changed since it was loaded."""
    file = _file(suite, name)
    if not sha256 or not file.is_file():
        return None
    data = file.read_bytes()
    if digest(data) != sha256:
        raise AssayError(
            f"{file} is not the published text: its SHA-256 differs",
            f"load it again: assay setup {suite} --from FOLDER",
        )
    return data.decode("utf-8")


def load_texts(suite: str, hashes: Mapping[str, str], source: Path) -> Loaded:
    """Copy `<name>.md` for every name of `hashes` from `source`, or its folder `tasks`, to the data folder.

    All or nothing: raises UsageError, before anything is written, if a text is missing or is not the published one.
    """
    folder = source / "tasks" if (source / "tasks").is_dir() else source
    texts = {file.stem: file for file in folder.glob("*.md")}
    missing = sorted(hashes.keys() - texts.keys())
    if missing:
        raise UsageError(
            f"{folder} holds {len(hashes) - len(missing)} of the {len(hashes)} texts of '{suite}'; "
            f"missing: {_some(missing)}",
            "--from must name a folder of <id>.md files, or one whose folder 'tasks' holds them",
        )
    contents = {name: texts[name].read_bytes() for name in hashes}
    changed = sorted(name for name, data in contents.items() if digest(data) != hashes[name])
    if changed:
        raise UsageError(
            f"{len(changed)} of {len(hashes)} texts in {folder} are not the published ones: {_some(changed)}",
            "take the folder from commit 806a203 of chchenhui/mlrbench, with line endings as they are",
        )
    for name, data in contents.items():
        write_whole(_file(suite, name), data)
    ignored = tuple(sorted(texts[name].name for name in texts.keys() - hashes.keys()))
    return Loaded(suite, _file(suite, "x").parent, len(contents), ignored)


def _file(suite: str, name: str) -> Path:
    return data_folder() / suite / f"{name}.md"


def _some(names: Iterable[str]) -> str:
    first = list(names)
    return ", ".join(first[:5]) + (f" and {len(first) - 5} more" if len(first) > 5 else "")
