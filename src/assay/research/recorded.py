"""The bench as a sandbox of interactive agents: a script of their workspace runs as an experiment, and is recorded."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from assay.research.bench import Bench
from assay.research.evidence import ProcessRecord
from assay.research.paths import ResearchPaths
from assay.sandbox.job import Job, Result
from assay.tasks.outcome import EvaluationClock
from assay.tasks.payload import decode

REFUSED = 2


class RecordedRunner:
    """Takes the jobs of `assay.environments.execution`. Scripts below `code/` are experiments; others are refused."""

    def __init__(self, bench: Bench, paths: ResearchPaths) -> None:
        self._bench = bench
        self._paths = paths
        self.processes: list[ProcessRecord] = []

    def run(self, job: Job) -> Result:
        """Lay the code out, run the script on the bench, and hand back what it printed and left in `results/`."""
        inputs = decode(job.inputs)
        script = str(inputs["script"])
        if not script.startswith("code/") or not script.endswith(".py"):
            return _refused("experiments are scripts below code/, so that what ran can be told afterwards")
        files = {path: inputs[f"file{number}"].tobytes() for number, path in enumerate(inputs["paths"])}
        code = {path: data for path, data in files.items() if path.startswith("code/") and path.endswith(".py")}
        self._bench.write_code({path: data.decode("utf-8", "replace") for path, data in code.items()})
        record = self._bench.run((script,))
        self.processes.append(record)
        return Result("ok", self._outputs(record), clock=EvaluationClock(seconds=record.seconds))

    def _outputs(self, record: ProcessRecord) -> dict[str, Any]:
        written = {file.path: (self._paths.root / file.path).read_bytes() for file in record.written}
        data = {f"file{number}": np.frombuffer(content, np.uint8) for number, content in enumerate(written.values())}
        # nothing that an agent is shown may depend on the clock: a resumed stage must ask the same questions
        return {**_ended(record.exit_code, record.output), "paths": list(written), **data}


def _ended(code: int | None, printed: str) -> Mapping[str, Any]:
    return {"exit_code": code, "stdout": printed, "stderr": "", "seconds": 0.0, "left_out": [], "gone": []}


def _refused(why: str) -> Result:
    return Result("ok", {**_ended(REFUSED, why), "paths": []})
