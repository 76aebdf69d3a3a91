"""What of a task must travel with its results, so that they can be scored where the task itself is not."""

from assay.base import Frozen
from assay.tasks.candidate import text_digest
from assay.tasks.load import Task
from assay.tasks.spec import FmlBench, Metric, Noise


class TaskFacts(Frozen):
    """The scoring side of a task as it was when a run began."""

    title: str
    area: str
    metric: Metric
    noise: Noise | None = None
    fmlbench: FmlBench | None = None
    files: dict[str, str]
    """The baseline: editable path → digest of its text, stored as a blob like every candidate's."""


def task_facts(task: Task) -> TaskFacts:
    spec = task.spec
    return TaskFacts(
        title=spec.title,
        area=spec.area,
        metric=spec.metric,
        noise=spec.noise,
        fmlbench=spec.fmlbench,
        files={path: text_digest(text) for path, text in task.baseline.files.items()},
    )
