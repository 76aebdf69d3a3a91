"""The files of one run as its agent sees them: those of the task, which stay as they are, and those of its own.

The workspace lies in no folder. Contents are stored once by their digest; a snapshot is a mapping of names, undo is an
older mapping, and a copy costs nothing. A path cannot lead out of it, for there is no outside.
"""

from collections.abc import Iterable, Mapping
from posixpath import normpath

from assay.runs.blobs import Blobs
from assay.tasks.candidate import Candidate
from assay.tasks.grader import Grader
from assay.tasks.load import Task

CODE_BYTES = 1 << 18
"""A code file that an agent added counts as part of its candidate up to this size."""
LONGEST_NAME, LONGEST_PATH = 255, 1000
"""Bytes: what file systems take, so that every file can be laid out for a script."""


class ActionError(Exception):
    """What an agent asked for cannot be done. Its text is the observation, behind `EnvError: `."""


class Workspace:
    """Writable files over read-only ones. One run has one; turns change it, and the journal has every change."""

    def __init__(self, blobs: Blobs, fixed: Mapping[str, bytes], own: Mapping[str, bytes]) -> None:
        """`fixed` cannot be changed by anything; `own` is what the agent starts from."""
        self._blobs = blobs
        self.fixed = dict(fixed)
        self._own = {path: blobs.put_file(data) for path, data in own.items()}
        self._at_turn = dict(self._own)
        """As it was when the turn at hand began."""
        self._before: dict[str, list[str]] = {}
        """What each file was before each turn that changed it, the latest last; empty where there was none."""
        self._undoing = False
        """The turn at hand goes back to what was before, and is nothing to go back to itself."""

    @property
    def own(self) -> Mapping[str, str]:
        """The writable files: path → digest of the content."""
        return self._own

    def paths(self) -> list[str]:
        return sorted({*self.fixed, *self._own})

    def has(self, path: str) -> bool:
        return path in self.fixed or path in self._own

    def read(self, name: str) -> bytes:
        """Raises ActionError if there is no such file."""
        path = canonical(name)
        if path in self.fixed:
            return self.fixed[path]
        if path not in self._own:
            raise ActionError(f"cannot read {name}: there is no such file; List Files shows what there is")
        return self._blobs.get_file(self._own[path])

    def text(self, name: str) -> str:
        """Raises ActionError if there is no such file, or if it is not text."""
        try:
            return self.read(name).decode()
        except UnicodeDecodeError:
            raise ActionError(f"cannot read {name}: it is not a text file") from None

    def write(self, name: str, data: bytes | str) -> None:
        """Raises ActionError if the file cannot be written."""
        path = self.writable(name)
        self._own[path] = self._blobs.put_file(data.encode() if isinstance(data, str) else data)

    def writable(self, name: str) -> str:
        """The canonical path of a file that can be written.

        Raises ActionError if it is read-only, or if there is a folder in its place or a file above it.
        """
        path = canonical(name)
        if path in self.fixed:
            raise ActionError(f"cannot write {name}: it is read-only")
        if path == "." or any(other.startswith(f"{path}/") for files in (self.fixed, self._own) for other in files):
            raise ActionError(f"cannot write {name}: it is a folder")
        if any(self.has(parent) for parent in _parents(path)):
            raise ActionError(f"cannot write {name}: a part of its path is a file")
        return path

    def remove(self, name: str) -> None:
        """Of what a script deleted. Raises ActionError if it is no path."""
        self._own.pop(canonical(name), None)

    def undo(self, name: str) -> str:
        """Bring back the file as it was before the last turn that changed it, whatever changed it, and return its path.

        Repeated, it goes further back. Raises ActionError if there is nothing to undo, or no place for it any more.
        """
        path = canonical(name)
        if path in self.fixed:
            raise ActionError(f"cannot undo {name}: it is read-only and was never changed")
        if not self._before.get(path):
            raise ActionError(f"there is no change of {name} to undo")
        if older := self._before[path][-1]:
            self._own[self.writable(name)] = older
        else:
            self._own.pop(path, None)
        self._undoing = True
        return path

    def end_turn(self) -> dict[str, str]:
        """What the turn changed: path → digest, empty if the file is gone."""
        paths = {*self._own, *self._at_turn}
        now = {path: self._own.get(path, "") for path in sorted(paths)}
        changes = {path: digest for path, digest in now.items() if self._at_turn.get(path, "") != digest}
        for path in changes:
            if self._undoing:
                self._before[path].pop()
            else:
                self._before.setdefault(path, []).append(self._at_turn.get(path, ""))
        self._at_turn, self._undoing = dict(self._own), False
        return changes

    def repeat_turn(self, changes: Mapping[str, str], undoing: bool) -> None:
        """Do what a recorded turn did; `undoing` if that was an undo."""
        for path, digest in changes.items():
            if digest:
                self._own[path] = digest
            else:
                self._own.pop(path, None)
        self._undoing = undoing
        self.end_turn()

    def listing(self, name: str) -> list[str]:
        """One level of a folder, folders with a slash. Raises ActionError if it is none."""
        folder = canonical(name)
        prefix = "" if folder == "." else f"{folder}/"
        found = {path.removeprefix(prefix) for path in self.paths() if path.startswith(prefix)}
        if not found and folder != ".":
            raise ActionError(f"cannot list {name}: there is no such folder")
        return sorted({entry.split("/", 1)[0] + ("/" if "/" in entry else "") for entry in found})


def open_workspace(task: Task, seed: int, blobs: Blobs) -> Workspace:
    """A run's workspace: the task's files, and for a script the data of the validation split, without its labels."""
    fixed = {path: text.encode() for path, text in task.fixed_files.items()}
    if task.spec.script:
        fixed |= {path: data.tobytes() for path, data in Grader(task).inputs("val", seed).items()}
    return Workspace(blobs, fixed, {path: text.encode() for path, text in task.baseline.files.items()})


def candidate_in(workspace: Workspace, task: Task) -> Candidate:
    """The code as it is now: the editable files, and where the task runs a script, the modules an agent put beside it.

    Raises ActionError if an editable file is missing or is not text.
    """
    files = {path: workspace.text(path) for path in task.spec.editable}
    if task.spec.script:
        for path in _modules(workspace.own):
            data = workspace.read(path)
            if path not in files and len(data) <= CODE_BYTES:
                files[path] = data.decode("utf-8", "replace")
    return Candidate(files=files)


def canonical(name: str) -> str:
    """The one name of a path. Raises ActionError for one that leads out of the workspace or can be no file's."""
    if not isinstance(name, str) or not name.strip() or not name.strip().isprintable():
        raise ActionError(f"{str(name)[:100]!r} is not a path")
    path = normpath(name.strip())
    if path.startswith(("/", "../")) or path == "..":
        raise ActionError(f"cannot access {name}: it is not in the work directory")
    if len(path.encode()) > LONGEST_PATH or any(len(part.encode()) > LONGEST_NAME for part in path.split("/")):
        raise ActionError(f"{name[:100]}... is too long for a path")
    return path


def _parents(path: str) -> Iterable[str]:
    parts = path.split("/")
    return ("/".join(parts[:count]) for count in range(1, len(parts)))


def _modules(paths: Iterable[str]) -> list[str]:
    return sorted(path for path in paths if path.endswith(".py"))
