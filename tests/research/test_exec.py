"""Experiments by someone else, recorded all the same."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from assay.cli.research import command as research
from assay.errors import UsageError
from assay.models.testing import Say, ScriptedServer
from assay.research.briefs import find_brief
from assay.research.evidence import read_processes
from assay.research.run import Plan, models_by_stage, run_research
from assay.research.state import read_state

BRIEF = find_brief("mlr-demo/wrong_labels")


def test_a_coding_agent_runs_experiments_through_the_bench_and_the_paper_follows(root: Path) -> None:
    with pytest.raises(UsageError, match="holds no research"):
        CliRunner().invoke(research, ["exec", str(root), "code/a.py"], catch_exceptions=False)
    run_research(Plan(brief=BRIEF, models=models_by_stage(())), root, ("idea", "literature", "proposal"))
    (root / "code").mkdir()
    (root / "code/a.py").write_text(
        "import sys\nimport numpy as np\nwith np.load('data/wine.npz') as file:\n    rows = len(file['labels'])\n"
        "open('results/rows.csv', 'a').write(f'{rows}\\n')\nprint('rows', rows)\nsys.exit(int(sys.argv[2]))\n"
    )
    for code in ("0", "3"):
        ran = CliRunner().invoke(research, ["exec", str(root), "code/a.py", "--code", code])
        assert ran.exit_code == int(code)
        assert "rows 178" in ran.output
    first, second = read_processes(root)
    assert second.command == ("python", "code/a.py", "--code", "3")
    assert first.written[0].path == second.written[0].path == "results/rows.csv"
    assert (root / "results/rows.csv").read_text() == "178\n178\n"
    (root / "results/results.md").write_text("There are 178 rows.\n")
    with ScriptedServer([Say("# Paper\n\n178 rows.")]) as server:
        run_research(Plan(brief=BRIEF, models=models_by_stage([server.model])), root, ("paper",))
        assert "`python code/a.py --code 3`, exit code 3, wrote results/rows.csv" in server.asked[0].last
    assert read_state(root).stages["experiments"].status == "given"
    with pytest.raises(UsageError, match="are done"):
        CliRunner().invoke(research, ["exec", str(root), "code/a.py"], catch_exceptions=False)
