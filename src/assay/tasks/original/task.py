"""An original MLAgentBench task folder, unchanged, behind the same interface as any other task.

There is one set of answers, so validation and test are the same evaluation: such a task gives no feedback.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from assay.base import Frozen
from assay.errors import UsageError
from assay.tasks.load import Task, read_toml
from assay.tasks.original.folder import FOLDER_MB, OriginalPaths
from assay.tasks.original.grader import OriginalGrader
from assay.tasks.original.known import KNOWN
from assay.tasks.spec import Limits, Metric, Script, TaskSpec

_PERFORMER = Path(__file__).with_name("performer.py")
_LIMITS = Limits(seconds=3600, memory_mb=4096, processes=64, scratch_mb=4 * FOLDER_MB, output_mb=256)
_CURE = "docs/mlab.md says what an assay.toml beside env/ may hold"


class Settings(Frozen):
    """The content of `assay.toml`: what a folder does not say and nobody can guess."""

    metric: Metric | None = None
    run: str = "train.py"
    """The main script."""
    editable: tuple[str, ...] = ()
    """Unless given: every Python file of `env/` that matches no read-only pattern."""
    limits: Limits = _LIMITS
    preload: tuple[str, ...] = ("numpy",)


@dataclass(frozen=True)
class OriginalTask(Task):
    """A task whose folder has `env/` and `scripts/`."""

    paths: OriginalPaths

    @cached_property
    def prompt(self) -> str:
        stated = self.paths.prompt.read_text() if self.paths.prompt.is_file() else ""
        return f"{stated.strip()}\n\n{_how_it_is_measured(self.spec)}"

    @cached_property
    def perform_source(self) -> str:
        assert self.spec.script
        return _PERFORMER.read_text().replace('"__RUN__"', repr(self.spec.script.run))

    @cached_property
    def fixed_files(self) -> dict[str, str]:
        """Texts of the folder. Data is no text: it is handed in by the grader."""
        return {path: text for path, text in self.paths.texts.items() if path not in self.spec.editable}

    def load_grader(self) -> OriginalGrader:
        return OriginalGrader(self.paths, self.spec.metric.name)

    def require(self) -> None:
        if (self.paths.scripts / "prepare.py").is_file() and not (self.paths.scripts / "prepared").is_file():
            raise UsageError(
                f"the data of {self.paths.root} was not prepared: there is scripts/prepare.py and no scripts/prepared",
                f"in {self.paths.scripts}: python prepare.py && touch prepared   (needs network)",
            )
        if not self.paths.grader.is_file():
            raise UsageError(f"{self.paths.grader} is missing", "without an evaluator a task cannot be measured")
        _ = self.paths.data  # too much of it is an error of the folder and shows itself now


def is_original(folder: Path) -> bool:
    return (folder / "env").is_dir() and (folder / "scripts").is_dir() and not (folder / "task.toml").exists()


def load_original(folder: Path) -> OriginalTask:
    """Raises UsageError that says what to put into assay.toml where the folder does not say it."""
    paths = OriginalPaths(folder)
    settings = read_toml(paths.spec, Settings, _CURE) if paths.spec.is_file() else Settings()
    name = folder.resolve().name
    metric = settings.metric or KNOWN.get(name)
    if metric is None:
        raise UsageError(
            f"{folder} does not say what its score is, and '{name}' is no task of MLAgentBench itself",
            f'write {paths.spec}: [metric] with name = "...", direction = "max" or "min", best = its bound',
        )
    if settings.run not in paths.texts:
        raise UsageError(
            f"{paths.workspace} has no {settings.run}", f'name the main script in {paths.spec}: run = "..."'
        )
    lacking = [path for path in settings.editable if path not in paths.texts]
    if lacking:
        raise UsageError(f"{paths.spec}: editable: {paths.workspace} has no text {lacking[0]}", _CURE)
    spec = TaskSpec(
        schema=1,
        id=f"mlagentbench/{name.lower()}",
        title=f"{name}, as MLAgentBench has it",
        area="MLAgentBench",
        question=f"How far can {metric.name} be improved?",
        editable=settings.editable or paths.code,
        script=Script(run=settings.run, leaves=("*",)),
        metric=metric,
        limits=settings.limits,
        preload=settings.preload,
        feedback=False,
        sources=("MLAgentBench: Q. Huang, J. Vora, P. Liang, J. Leskovec, ICML 2024",),
    )
    return OriginalTask(spec, paths, str(folder))


def _how_it_is_measured(spec: TaskSpec) -> str:
    assert spec.script
    better = "Higher" if spec.metric.direction == "max" else "Lower"
    return (
        f"What you hand in are these files: {', '.join(spec.editable)}. To score them, `{spec.script.run}` is run from "
        f"the start in a fresh copy of the folder, with no network, within {spec.limits.seconds:g} s and "
        f"{spec.limits.memory_mb} MB; the evaluator then looks at the files that it left. {better} "
        f"`{spec.metric.name}` is better. The score is not told before the end.\n"
    )
