"""What `task.toml` says: the typed description of one research task."""

import math
from typing import Literal

from pydantic import Field, model_validator

from assay.base import Frozen
from assay.errors import AssayError
from assay.tasks.outcome import Split


class Metric(Frozen):
    """The one number that counts."""

    name: str
    direction: Literal["min", "max"]
    best: float
    """Value that counts as a normalised improvement of 1: a bound someone can name, not wishful thinking."""
    worst: float | Literal["baseline"] = "baseline"
    transform: Literal["none", "neg_log10"] = "none"
    """Applied before anything is normalised. `neg_log10` also turns the direction round; `best` is on its scale."""

    def better(self, a: float, b: float) -> bool:
        return a > b if self.direction == "max" else a < b

    def scale(self, value: float) -> float:
        """The value on the scale of `best` and `worst`. A p value of 0 counts as the smallest positive float."""
        return -math.log10(max(value, 5e-324)) if self.transform == "neg_log10" else value

    def improvement(self, value: float, baseline: float) -> float:
        """Normalised gain over the baseline of the same split; negative where the value is worse."""
        v, b = self.scale(value), self.scale(baseline)
        worst = b if self.worst == "baseline" else self.worst
        width = abs(self.best - worst)
        rising = (self.direction == "max") != (self.transform == "neg_log10")
        return ((v - b) if rising else (b - v)) / width if width else 0.0


class Constraint(Frozen):
    """A side condition: `metric op reference ∓ tolerance`. The same rule on val and test."""

    metric: str
    op: Literal[">=", "<="]
    reference: float | Literal["baseline"] = "baseline"
    tolerance: float = 0.0
    """How far on the wrong side of the reference is still allowed: absolute, in the metric's unit."""
    factor: float = 1.0
    """The reference is multiplied by this first: 0.8 means four fifths of the baseline."""


class Limits(Frozen):
    """What one evaluation may use, summed over all its processes where that makes sense."""

    seconds: float = 30.0
    memory_mb: int = 1024
    processes: int = 16
    scratch_mb: int = 64
    output_mb: int = 16


class Measured(Frozen):
    """The baseline as measured when the task was frozen."""

    val: float
    test: float
    val_stderr: float = 0.0
    test_stderr: float = 0.0
    tolerance: float = 1e-6
    """Largest difference, relative to max(1, |value|), at which `assay task check` still says that it reproduces."""


class Noise(Frozen):
    """Spread of the baseline over seeds."""

    seeds: int
    val_sd: float
    test_sd: float

    def sd(self, split: Split) -> float:
        return self.val_sd if split == "val" else self.test_sd


class Data(Frozen):
    name: str
    source: str
    licence: str
    rows: int | None = None


class Script(Frozen):
    """For a candidate that is run and not called. Such a task has no perform.py of its own: its inputs are files."""

    run: str
    """The editable file that is executed, in a folder with all files of the workspace and of the split."""
    leaves: tuple[str, ...] = Field(min_length=1)
    """The files that are handed to the grader; see assay.tasks.files."""


class Source(Frozen):
    """Data that is not ours to give: `assay setup` gets it, splits it and keeps the labels apart."""

    files: tuple[str, ...] = Field(min_length=1)
    """Paths, or patterns of paths, that the unpacked originals must have."""
    kaggle: str = ""
    """The competition whose files the user's own `kaggle` command fetches."""
    urls: tuple[str, ...] = ()
    """Addresses of the originals; archives are unpacked."""
    sha256: dict[str, str] = {}
    """Of originals by file name, where the publisher or several independent users state it."""
    by_hand: str = ""
    """What to do where neither a command nor an address gets everything."""

    def cure(self, task: str) -> str:
        """What a user does about data that is not on the machine."""
        return f"{self.by_hand}, then: assay setup {task} --from FOLDER" if self.by_hand else f"assay setup {task}"


class FmlBench(Frozen):
    """Names under which FML-bench knows this task, for exchange of results."""

    task: str
    dataset: str
    metric: str


class TaskSpec(Frozen):
    """The content of `task.toml`."""

    schema_version: Literal[1] = Field(1, alias="schema")
    id: str = Field(pattern=r"^[a-z0-9][a-z0-9_.-]*(/[a-z0-9][a-z0-9_.-]*)?$")
    title: str
    area: str
    question: str
    editable: tuple[str, ...] = Field(min_length=1)
    """Paths below `workspace/` that a candidate may change; always all of them are part of a candidate."""
    defines: dict[str, tuple[str, ...]] = {}
    """Top-level names that each editable file must still define."""
    script: Script | None = None
    metric: Metric
    timed: bool = False
    """The metric is a time or made of times: two evaluations of the same candidate differ by noise."""
    secondary: dict[str, Literal["min", "max"]] = {}
    """Other metrics the grader reports, for people to read."""
    constraints: tuple[Constraint, ...] = ()
    limits: Limits = Limits()
    preload: tuple[str, ...] = ("numpy",)
    """Modules the fork server imports ahead, for speed alone."""
    hidden: tuple[str, ...] = ()
    """Further modules or `module:folder` whose files the sandbox hides; bundled data sets always are."""
    frozen: Measured | None = Field(None, alias="baseline")
    """None where it cannot be known here: in a folder of another harness, and before `assay setup` measured it."""
    feedback: bool = True
    """Whether agents may be told what validation says. False where there is one hidden set for val and for test."""
    noise: Noise | None = None
    source: Source | None = None
    packages: tuple[str, ...] = ()
    """Modules that the task needs beyond those that Assay itself does."""
    data: tuple[Data, ...] = ()
    sources: tuple[str, ...] = ()
    fmlbench: FmlBench | None = None

    @property
    def baseline(self) -> Measured:
        """As it was measured when the task was frozen or set up. Raises AssayError if that never happened."""
        if self.frozen is None:
            raise AssayError(
                f"the baseline of task '{self.id}' was never frozen: there is nothing to reproduce",
                "measure it here: assay evaluate TASK FOLDER",
            )
        return self.frozen

    @model_validator(mode="after")
    def _names_agree(self) -> "TaskSpec":
        for path in self.editable:
            if path.startswith("/") or ".." in path.split("/"):
                raise ValueError(f"editable: '{path}' must be a path below workspace/")
        if self.script and self.script.run not in self.editable:
            raise ValueError(f"script: '{self.script.run}' is not among the editable files")
        for path in self.defines:
            if path not in self.editable:
                raise ValueError(f"defines: '{path}' is not among the editable files")
        return self
