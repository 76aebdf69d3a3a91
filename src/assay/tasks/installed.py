"""Data that is not ours to give, as `assay setup` leaves it on the user's machine: split, with the labels apart."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from assay.errors import AssayError
from assay.files import digest, write_whole
from assay.tasks.outcome import Split
from assay.tasks.spec import Measured

DATA_VARIABLE = "ASSAY_DATA"


def data_folder() -> Path:
    """Where a user's copies lie: $ASSAY_DATA, else below $XDG_DATA_HOME, else below ~/.local/share."""
    if named := os.environ.get(DATA_VARIABLE):
        return Path(named)
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "assay"


@dataclass(frozen=True)
class Held:
    """One split."""

    inputs: Mapping[str, bytes]
    """Files that a candidate gets: evaluation inputs without labels."""
    answers: bytes
    """What the grader knows and a candidate must not."""


@dataclass(frozen=True)
class Arrangement:
    """A task's data, ready to be used."""

    given: Mapping[str, bytes]
    """Files that a candidate gets on either split: training data."""
    val: Held
    test: Held


@dataclass(frozen=True)
class Installed:
    """$ASSAY_DATA/mlab/house-price/
    installed.json     SHA-256 of every file; there when all of them are
    baseline.json      the starter, measured on this machine
    given/             files that a candidate gets on either split
    val/given/         files that it gets on this split alone
       /answers        what only the grader reads
    test/              likewise"""

    task: str

    @property
    def root(self) -> Path:
        return data_folder() / self.task

    @property
    def receipt(self) -> Path:
        return self.root / "installed.json"

    @property
    def complete(self) -> bool:
        return self.receipt.is_file()

    def inputs(self, split: Split) -> dict[str, bytes]:
        """Files by path. Raises AssayError if one was changed since it was installed."""
        files = self._hashes()
        found: dict[str, bytes] = {}
        for place in ("given/", f"{split}/given/"):
            found |= {path.removeprefix(place): self._read(path) for path in files if path.startswith(place)}
        return found

    def answers(self, split: Split) -> bytes:
        return self._read(f"{split}/answers")

    def baseline(self) -> Measured | None:
        """None before the starter was measured here."""
        file = self.root / "baseline.json"
        try:
            return Measured.model_validate_json(file.read_text()) if file.is_file() else None
        except (ValidationError, UnicodeDecodeError) as error:
            raise self._spoilt(file) from error

    def keep_baseline(self, measured: Measured) -> None:
        write_whole(self.root / "baseline.json", measured.model_dump_json(indent=2) + "\n")

    def _hashes(self) -> dict[str, str]:
        try:
            files: dict[str, str] = json.loads(self.receipt.read_text())["files"]
        except (OSError, ValueError, KeyError) as error:
            raise self._spoilt(self.receipt) from error
        return files

    def _read(self, path: str) -> bytes:
        try:
            data = (self.root / path).read_bytes()
        except OSError as error:
            raise self._spoilt(self.root / path) from error
        if digest(data) != self._hashes().get(path):
            raise self._spoilt(self.root / path)
        return data

    def _spoilt(self, file: Path) -> AssayError:
        return AssayError(f"{file} is missing or was changed since it was set up", f"again: assay setup {self.task}")


@contextmanager
def installing(task: str, arrangement: Arrangement) -> Iterator[Installed]:
    """All or nothing: what was installed before comes back if anything fails, also what is done inside."""
    place = Installed(task)
    place.root.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.root.parent, prefix=".") as aside:
        fresh, before = Path(aside) / "fresh", Path(aside) / "before"
        _write(fresh, arrangement)
        if place.root.exists():
            place.root.rename(before)
        try:
            fresh.rename(place.root)
            yield place
        except BaseException:
            shutil.rmtree(place.root, ignore_errors=True)
            if before.exists():
                before.rename(place.root)
            raise


def _write(root: Path, arrangement: Arrangement) -> None:
    files = {f"given/{path}": data for path, data in arrangement.given.items()}
    for split, held in (("val", arrangement.val), ("test", arrangement.test)):
        files |= {f"{split}/given/{path}": data for path, data in held.inputs.items()}
        files[f"{split}/answers"] = held.answers
    for path, data in files.items():
        write_whole(root / path, data)
    hashes = {path: digest(data) for path, data in sorted(files.items())}
    write_whole(root / "installed.json", json.dumps({"files": hashes}, indent=2) + "\n")
