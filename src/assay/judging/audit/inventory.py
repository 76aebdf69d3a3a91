"""What lies in a folder: every file, by the role it plays, read with care for what agents leave behind."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

Role = Literal["code", "notebook", "shell", "report", "raw", "log", "readme", "plan", "other"]

SKIPPED_FOLDERS = {".git", "node_modules", "__pycache__", ".venv", "venv", "env", "site-packages", ".ipynb_checkpoints"}
SKIPPED_FOLDERS |= {".assay", ".mypy_cache", ".pytest_cache", ".cache", "dist-info", ".idea", ".vscode"}
MOST_FILES = 50_000
TEXT_LIMIT = 16 * 2**20
"""More of a report, a log or a script is not read; raw files are read in pieces and have no limit."""

KEPT = 64 * 2**10
"""Texts up to this size are kept; larger ones are read again when they are needed."""

PLANS = re.compile(
    r"^(task|idea|related[_-]?work|proposal|plan|todo|claude|agents|gemini|literature.*|license.*|changelog.*"
    r"|research[_-]idea)$",
    re.I,
)
"""Texts that say what was to be done, not what came out."""
NOT_RESULTS = re.compile(
    r"(token_?usage|token_tracker|package(-lock)?|tokenizer.*|vocab|tsconfig|settings|requirements.*|environment"
    r"|setup)$"
    r"|^review",
    re.I,
)
"""Names of data files without results of an experiment; a review is an opinion about the folder, no evidence in it."""
LOG_NAME = re.compile(r"(^|[_\-.])(log|logs|stdout|stderr|nohup|output)($|[_\-.0-9])|log$", re.I)


@dataclass(frozen=True)
class File:
    """One file of the audited folder."""

    root: Path = field(repr=False)
    name: str
    """Relative to the folder, with forward slashes."""
    role: Role
    size: int

    @property
    def path(self) -> Path:
        return self.root / self.name

    @property
    def stem(self) -> str:
        return Path(self.name).stem

    @property
    def suffix(self) -> str:
        return Path(self.name).suffix.lower()

    @property
    def text(self) -> str:
        """The file as text, whatever its encoding; only the first part if it is longer than the limit."""
        return self._kept if self.size <= KEPT else self._read()

    @cached_property
    def _kept(self) -> str:
        return self._read()

    def _read(self) -> str:
        try:
            with self.path.open("rb") as opened:
                return decode(opened.read(TEXT_LIMIT))
        except OSError:
            return ""


def decode(data: bytes) -> str:
    """Bytes as text: by byte-order mark, else UTF-8, else Latin-1, which never fails."""
    for mark, name in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig")):
        if data.startswith(mark):
            return data.decode(name, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        # a cut in the middle of a character is the limit's doing; anything else is another encoding
        if error.start >= len(data) - 4:
            return data.decode("utf-8", errors="ignore")
        return data.decode("latin-1")


@dataclass(frozen=True)
class Inventory:
    """All files of a folder by role."""

    root: Path
    files: tuple[File, ...]
    unseen: tuple[str, ...]

    def of(self, *roles: Role) -> list[File]:
        return [file for file in self.files if file.role in roles]

    @property
    def names(self) -> set[str]:
        """The base names of all files."""
        return {file.name.rsplit("/", 1)[-1] for file in self.files}


def take_inventory(root: Path) -> Inventory:
    """Every file below the folder but those of tools. Links are not followed, so that nothing outside is ever read."""
    files: list[File] = []
    unseen: list[str] = []
    for path, size in _walk(root):
        if len(files) == MOST_FILES:
            unseen.append(f"more than {MOST_FILES} files: the rest was not looked at")
            break
        name = path.relative_to(root).as_posix()
        files.append(File(root, name, role_of(path), size))
    large = [f for f in files if f.size > TEXT_LIMIT and f.role not in ("raw", "other")]
    unseen += [f"{f.name}: only the first {TEXT_LIMIT // 2**20} MB were read" for f in large]
    return Inventory(root, _with_reports(files), tuple(unseen))


def _walk(root: Path) -> Iterator[tuple[Path, int]]:
    for folder, below, names in os.walk(root):
        below[:] = sorted(d for d in below if d not in SKIPPED_FOLDERS and not Path(folder, d).is_symlink())
        for name in sorted(names):
            path = Path(folder, name)
            try:
                if path.is_symlink() or not path.is_file():
                    continue
                yield path, path.stat().st_size
            except OSError:
                continue


def role_of(path: Path) -> Role:
    """A file's role by its name."""
    stem, suffix = path.stem, path.suffix.lower()
    if suffix in (".py", ".pyw"):
        return "code"
    if suffix == ".ipynb":
        return "notebook"
    if suffix in (".sh", ".bash"):
        return "shell"
    if suffix in (".log", ".out", ".err") or (suffix in ("", ".txt") and LOG_NAME.search(stem)):
        return "log"
    if suffix in (".json", ".jsonl", ".csv", ".tsv", ".yaml", ".yml", ".npy", ".npz"):
        return "other" if NOT_RESULTS.search(stem) else "raw"
    if suffix in (".md", ".markdown", ".tex", ".pdf", ".rst"):
        if stem.lower().startswith("readme"):
            return "readme"
        return "plan" if PLANS.match(stem) else "report"
    return "other"


def _with_reports(files: list[File]) -> tuple[File, ...]:
    """A folder without any report has its README for one."""
    if any(f.role == "report" for f in files):
        return tuple(files)
    return tuple(File(f.root, f.name, "report", f.size) if f.role == "readme" else f for f in files)
