"""The agent on the page about interactive agents is run as it stands there."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from assay.environments.actions.catalogue import CATALOGUE
from assay.environments.agents.react import SectionParams
from assay.environments.agents.tools import ToolsParams
from assay.runs.agents import DRIVING
from assay.runs.record import read_run

PAGE = (Path(__file__).parents[2] / "docs" / "interactive.md").read_text()


def test_the_agent_on_the_page_runs(assay: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path) -> None:
    name, code = re.search(r"```python\n# (\S+)\n(.*?)```", PAGE, re.DOTALL).groups()  # type: ignore[union-attr]
    (tmp_path / name).write_text(code)
    (command,) = re.findall(r"^\$ assay (.+)$", PAGE, re.MULTILINE)
    done = assay(*command.split())
    assert done.returncode == 0, done.stderr
    (run,) = (tmp_path / "results" / "runs").iterdir()
    finished = read_run(run).finished
    assert finished is not None and finished.reason == "submitted" and finished.best == 0


def test_the_page_names_every_agent_action_and_parameter() -> None:
    names = [*DRIVING, *CATALOGUE, *SectionParams.model_fields, *ToolsParams.model_fields]
    assert [name for name in names if name not in PAGE] == []
