"""Finding and reading task folders. Every error names the file, the key and the cure."""

import hashlib
import importlib.util
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from assay.base import Frozen
from assay.errors import AssayError, UsageError
from assay.tasks.candidate import Candidate
from assay.tasks.installed import Installed
from assay.tasks.spec import TaskSpec

_SCRIPTED = Path(__file__).with_name("scripted.py")


@dataclass(frozen=True)
class TaskPaths:
    """fairness_fairlearn/
    task.toml     id, title, metric, constraints, baseline, limits, sources
    prompt.md     what the agent is told
    workspace/    what the agent sees; task.toml says which files it may edit
    perform.py    runs in the sandbox beside the candidate: calls it and returns arrays and JSON; none if it is a script
    grader.py     trusted: prepare (or conduct) and grade; never inside the sandbox
    solutions/    known-good candidates, one folder each; never visible
    probes/       candidates that must gain nothing: constant, random, shuffled; never visible
    NOTES.md      how the task was made"""

    root: Path

    @property
    def spec(self) -> Path:
        return self.root / "task.toml"

    @property
    def prompt(self) -> Path:
        return self.root / "prompt.md"

    @property
    def workspace(self) -> Path:
        return self.root / "workspace"

    @property
    def perform(self) -> Path:
        return self.root / "perform.py"

    @property
    def grader(self) -> Path:
        return self.root / "grader.py"

    @property
    def solutions(self) -> Path:
        return self.root / "solutions"

    @property
    def probes(self) -> Path:
        return self.root / "probes"

    @property
    def notes(self) -> Path:
        return self.root / "NOTES.md"


@dataclass(frozen=True)
class Task:
    """One research problem, read from its folder. Immutable; the folder is not read again for what is cached here."""

    spec: TaskSpec
    paths: TaskPaths
    name: str
    """How it is found again: its id, or for a task outside the suites the path of its folder."""

    @property
    def id(self) -> str:
        return self.spec.id

    @cached_property
    def prompt(self) -> str:
        return self.paths.prompt.read_text()

    @cached_property
    def perform_source(self) -> str:
        script = self.spec.script
        if script is None:
            return self.paths.perform.read_text()
        source = _SCRIPTED.read_text()
        return source.replace('"__RUN__"', repr(script.run)).replace('("__LEAVES__",)', repr(script.leaves))

    @cached_property
    def baseline(self) -> Candidate:
        return self.candidate_from(self.paths.workspace)

    @cached_property
    def fixed_files(self) -> dict[str, str]:
        """Files of the workspace that the candidate sees and may not change."""
        root = self.paths.workspace
        found = (p for p in sorted(root.rglob("*")) if p.is_file() and "__pycache__" not in p.parts)
        texts = {p.relative_to(root).as_posix(): p for p in found}
        return {path: p.read_text() for path, p in texts.items() if path not in self.spec.editable}

    @cached_property
    def solutions(self) -> dict[str, Candidate]:
        """Known-good candidates by name. Files a solution leaves out are those of the baseline."""
        return self._candidates_below(self.paths.solutions)

    @cached_property
    def probes(self) -> dict[str, Candidate]:
        """Candidates that must gain nothing, by name. Files a probe leaves out are those of the baseline."""
        return self._candidates_below(self.paths.probes)

    @cached_property
    def digest(self) -> str:
        """Changes with anything that can change a result: statement, code, grader and what lies beside it."""
        aside = {"solutions", "probes", "__pycache__", "NOTES.md"}
        total = hashlib.sha256()
        for path in sorted(self.paths.root.rglob("*")):
            name = path.relative_to(self.paths.root)
            if path.is_file() and aside.isdisjoint(name.parts):
                total.update(name.as_posix().encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
        installed = Installed(self.id)
        if self.spec.source and installed.complete:
            total.update(installed.receipt.read_bytes())
        return total.hexdigest()

    def require(self) -> None:
        """Raises UsageError if the task needs something that is not on this machine; the hint says how to get it."""
        missing = [name for name in self.spec.packages if importlib.util.find_spec(name) is None]
        if missing:
            raise UsageError(
                f"task '{self.id}' needs packages that are not installed: {', '.join(missing)}",
                "install them beside Assay: candidates have the packages of the Python that runs it",
            )
        source = self.spec.source
        if source and not Installed(self.id).complete:
            raise UsageError(f"the data of task '{self.id}' is not on this machine", f"get it: {source.cure(self.id)}")

    def load_grader(self) -> Any:
        """The trusted side, with `prepare` or `conduct`, and `grade`. Raises AssayError if it cannot be loaded."""
        # under a name of its own, so that graders of two tasks never share a module
        name = "assay_grader_" + "".join(c if c.isalnum() else "_" for c in self.id)
        spec = importlib.util.spec_from_file_location(name, self.paths.grader)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            raise AssayError(f"{self.paths.grader} cannot be loaded: {error!r}", "run: assay task check") from error
        return module

    def candidate_from(self, folder: Path, fill: bool = False) -> Candidate:
        """The editable files as they are in a folder; with `fill`, missing ones come from the baseline.

        Raises UsageError if a file is missing or is not text.
        """
        files: dict[str, str] = {}
        for path in self.spec.editable:
            file = folder / path
            try:
                files[path] = file.read_text()
            except FileNotFoundError:
                if not fill:
                    raise UsageError(
                        f"{file} is missing",
                        f"task '{self.id}' has these editable files: {', '.join(self.spec.editable)}",
                    ) from None
                files[path] = self.baseline.files[path]
            except (UnicodeDecodeError, OSError) as error:
                raise UsageError(f"cannot read {file}: {error}", "an editable file is UTF-8 text") from None
        return Candidate(files=files)

    def _candidates_below(self, root: Path) -> dict[str, Candidate]:
        folders = sorted(p for p in root.iterdir() if p.is_dir() and p.name != "__pycache__") if root.is_dir() else []
        return {p.name: self.candidate_from(p, fill=True) for p in folders}


def load_task(folder: Path, name: str | None = None) -> Task:
    """Read one task folder. Raises UsageError that names the file, the key and the cure."""
    paths = TaskPaths(folder)
    if not paths.spec.is_file():
        raise UsageError(f"{folder} is not a task: it has no task.toml", f"start one with: assay task new {folder}")
    spec = read_toml(paths.spec, TaskSpec, "docs/add-a-task.md lists every key")
    for required in (paths.prompt, *(() if spec.script else (paths.perform,)), paths.grader, paths.workspace):
        if not required.exists():
            raise UsageError(
                f"{required} is missing",
                "a task folder has task.toml, prompt.md, perform.py, grader.py and workspace/; see docs/add-a-task.md",
            )
    if spec.source and spec.frozen is None:
        spec = spec.model_copy(update={"frozen": Installed(spec.id).baseline()})
    task = Task(spec, paths, name or str(folder))
    _ = task.baseline  # a missing editable file is an error of the task and shows itself now
    return task


Model = TypeVar("Model", bound=Frozen)


def read_toml(file: Path, model: type[Model], cure: str) -> Model:
    """A TOML file as a typed record. Raises UsageError that names the file and the key."""
    try:
        return model.model_validate(tomllib.loads(file.read_text()))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: not valid TOML: {error}", "correct the line it names") from None
    except ValidationError as error:
        raise UsageError(f"{file}: {_first_problem(error)}", cure) from None


def _first_problem(error: ValidationError) -> str:
    problems = []
    for item in error.errors():
        key = ".".join(str(part) for part in item["loc"]) or "(top level)"
        cure = {"missing": "add this key", "extra_forbidden": "remove or rename this key: it is not known"}.get(
            item["type"], item["msg"]
        )
        problems.append(f"key '{key}': {cure}")
    return "; ".join(problems)
