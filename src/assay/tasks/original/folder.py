"""An original MLAgentBench task folder as it lies on disk, and what its files are."""

import posixpath
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path, PurePosixPath

from assay.errors import UsageError
from assay.tasks.load import TaskPaths

CODE = frozenset({".py"})
"""What an agent edits, unless assay.toml names the files."""
TEXT_BYTES = 100_000
"""A longer text is data: it is laid out for scripts, and not shown to a model."""
FOLDER_MB = 512
"""All files of `env/` and of `scripts/` travel into the sandbox for every evaluation, so there is a bound."""


class OriginalPaths(TaskPaths):
    """house-price/
    env/                           what the agent sees: starter code, descriptions, data
    scripts/research_problem.txt   what the agent is told
           /read_only_files.txt    one pattern a line
           /prepare.py             gets the data, once; leaves the file `prepared`
           /eval.py                get_score(folder), and the answers beside it
    assay.toml                     not of the original: metric, limits and main script, where they are not known"""

    @property
    def spec(self) -> Path:
        return self.root / "assay.toml"

    @property
    def workspace(self) -> Path:
        return self.root / "env"

    @property
    def scripts(self) -> Path:
        return self.root / "scripts"

    @property
    def prompt(self) -> Path:
        return self.scripts / "research_problem.txt"

    @property
    def grader(self) -> Path:
        return self.scripts / "eval.py"

    @cached_property
    def read_only(self) -> frozenset[str]:
        """The files of `env/` that match a pattern, by path."""
        file = self.scripts / "read_only_files.txt"
        patterns = file.read_text().splitlines() if file.is_file() else []
        return frozenset(path for path in self.environment if matches(path, patterns))

    @cached_property
    def environment(self) -> dict[str, Path]:
        return _files(self.workspace)

    @cached_property
    def hidden(self) -> dict[str, Path]:
        """What the evaluator has beside it, itself included."""
        return _files(self.scripts)

    @cached_property
    def texts(self) -> dict[str, str]:
        """Files of `env/` that are text of a length that a model can be shown."""
        read = {path: _text(file) for path, file in self.environment.items() if file.stat().st_size <= TEXT_BYTES}
        return {path: text for path, text in read.items() if text is not None}

    @cached_property
    def code(self) -> tuple[str, ...]:
        """Code that matches no read-only pattern."""
        return tuple(path for path in self.texts if PurePosixPath(path).suffix in CODE and path not in self.read_only)

    @cached_property
    def data(self) -> dict[str, bytes]:
        """The rest of `env/`. Raises UsageError if that and `scripts/` are more than may travel into the sandbox."""
        size = sum(file.stat().st_size for file in (*self.environment.values(), *self.hidden.values())) / 2**20
        if size > FOLDER_MB:
            raise UsageError(
                f"{self.root} has {size:.0f} MB in env/ and scripts/; an original task folder may have {FOLDER_MB} MB",
                "all of it is copied into the sandbox for every evaluation: reduce the data, for example in prepare.py",
            )
        return {path: file.read_bytes() for path, file in self.environment.items() if path not in self.texts}


def matches(path: str, patterns: Iterable[str]) -> bool:
    """Whether a path below `env/`, or a folder it lies in, matches a pattern. `./train.csv` and `train.csv` are one."""
    parts = PurePosixPath(path).parts
    above = ["/".join(parts[: n + 1]) for n in range(len(parts))]
    wanted = [posixpath.normpath(pattern.strip()) for pattern in patterns if pattern.strip()]
    # as in the original, a star also stands for slashes
    return any(fnmatchcase(place, pattern) for pattern in wanted for place in above)


def _files(root: Path) -> dict[str, Path]:
    """Raises UsageError for a link to a folder, which would be left out without a word."""
    found = {}
    for path in sorted(root.rglob("*")):
        if "__pycache__" in path.parts:
            continue
        if path.is_symlink() and path.is_dir():
            raise UsageError(f"{path} is a link to a folder", "put the folder itself in its place")
        if path.is_file():
            found[path.relative_to(root).as_posix()] = path
    return found


def _text(file: Path) -> str | None:
    try:
        text = file.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text
