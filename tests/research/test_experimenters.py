"""Experiments by an interactive agent and by a program: what they run is recorded like everything else."""

import json
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.errors import UsageError
from assay.judging.audit.audit import audit
from assay.models.base import ToolCall
from assay.models.testing import Reply, Say, ScriptedServer
from assay.research.briefs import find_brief
from assay.research.calls import spent_by_stage
from assay.research.evidence import read_processes
from assay.research.paths import ResearchPaths
from assay.research.program import Experimenter
from assay.research.run import Plan, check_experimenter, models_by_stage, run_research
from assay.research.stages import Stage

BRIEF = find_brief("mlr-demo/rare_class")
STAGE: tuple[Stage, ...] = ("experiments",)
CODE = textwrap.dedent("""
    import csv
    import numpy as np

    with np.load("data/breast_cancer.npz") as file:
        labels = file["labels"]
    with open("results/shares.csv", "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["class", "share"])
        for kind in np.unique(labels):
            writer.writerow([int(kind), float((labels == kind).mean())])
    print("classes:", len(np.unique(labels)))
""")
REPORT = "# Results\n\n| class | share |\n|---|---|\n| 0 | 0.373 |\n| 1 | 0.627 |"


def _call(name: str, **arguments: str) -> Say:
    return Say(calls=(ToolCall(id="", name=name, arguments=json.dumps(arguments)),))


def _act(action: str, **arguments: str) -> Say:
    return Say(f"Thought: it is time\nAction: {action}\nAction Input: {json.dumps(arguments)}")


WORK: dict[str, list[Reply]] = {
    "tools": [
        _call("list_files", dir_path="."),
        _call("write_file", file_name="code/shares.py", content=CODE),
        _call("execute_script", script_name="shares.py"),
        _call("execute_script", script_name="code/shares.py"),
        _call("read_file", file_name="results/shares.csv"),
        _call("final_answer", final_answer="done"),
        Say(REPORT),
    ],
    "react": [
        _act("Write File", file_name="code/shares.py", content=CODE),
        _act("Validate"),
        _act("Execute Script", script_name="code/shares.py"),
        _act("Final Answer", final_answer="done"),
        Say(REPORT),
    ],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project whose first three stages are given."""
    for name in ("idea.md", "related_work.md", "proposal.md"):
        (tmp_path / name).write_text("Count how large the classes are.\n")
    return tmp_path


def _plan(model: str, experimenter: Experimenter) -> Plan:
    return Plan(brief=BRIEF, models=models_by_stage([model], STAGE), experimenter=experimenter)


@pytest.mark.parametrize("agent", WORK)
def test_an_interactive_agent_experiments_on_the_bench(agent: str, folder: Path) -> None:
    with ScriptedServer(WORK[agent]) as server:
        state = run_research(_plan(server.model, Experimenter(name=agent)), folder, STAGE)
        asked = [request.last for request in server.asked]
    (process,) = read_processes(folder)
    assert process.command == ("python", "code/shares.py") and process.exit_code == 0
    assert [file.path for file in process.written] == ["results/shares.csv"] and set(process.code) >= {"code/shares.py"}
    assert state.stages["experiments"].status == "done" and state.stages["experiments"].notes == ()
    assert any("classes: 2" in text for text in asked)
    if agent == "tools":
        assert any("experiments are scripts below code/" in text or "does not exist" in text for text in asked)
        assert any("0.37258" in text for text in asked)
    found = audit(folder)
    assert not [number for number in found.numbers if number.verdict in ("unbacked", "invented", "contradicted")]


def test_a_stage_that_was_broken_off_is_answered_from_its_record(folder: Path) -> None:
    answers = WORK["tools"]
    with ScriptedServer(answers) as server:
        plan = _plan(server.model, Experimenter(name="tools"))
        run_research(plan, folder, STAGE)
        paths = ResearchPaths(folder)
        state = json.loads(paths.state.read_text())
        state["stages"]["experiments"]["status"] = "begun"
        paths.state.write_text(json.dumps(state))
        spent = spent_by_stage(paths.calls)["experiments"].calls
        run_research(plan, folder, STAGE)
        assert len(server.asked) == len(answers) == spent == spent_by_stage(paths.calls)["experiments"].calls
    assert len(list(read_processes(folder))) == 1


@pytest.fixture
def program(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Experimenter]:
    def experimenter(source: str) -> Experimenter:
        place = tmp_path_factory.mktemp("program") / "agent"
        place.mkdir()
        (place / "agent.py").write_text(textwrap.dedent(source))
        return Experimenter(name="command", command=f"python {place}/agent.py", allow_read=(str(place),), minutes=5)

    return experimenter


def test_a_program_experiments_by_asking_the_harness(folder: Path, program: Callable[[str], Experimenter]) -> None:
    experimenter = program(f"""
        import pathlib, subprocess
        print(pathlib.Path("TASK.md").read_text()[:100], pathlib.Path("proposal.md").read_text())
        pathlib.Path("code/shares.py").write_text({CODE!r})
        pathlib.Path("code/broken.py").write_text("import pandas_of_the_future")
        for line in ("code/broken.py", "/etc/passwd", "code/shares.py --any 'two words'"):
            done = subprocess.run(["./run", *line.split(" ", 1)], capture_output=True, text=True)
            print(done.returncode, done.stdout)
        shares = pathlib.Path("results/shares.csv").read_text()
        assert "0.37258" in shares, shares
        pathlib.Path("results/made_up.csv").write_text("class,share\\n0,0.99\\n")
        pathlib.Path("results.md").write_text({REPORT!r})
    """)
    state = run_research(_plan("offline", experimenter), folder, STAGE)
    broken, shares = read_processes(folder)
    assert broken.exit_code == 1 and "pandas_of_the_future" in broken.output
    assert shares.command == ("python", "code/shares.py", "--any", "two words") and shares.exit_code == 0
    assert (folder / "results" / "results.md").read_text().startswith("# Results")
    assert not (folder / "results" / "made_up.csv").exists(), "only what an experiment wrote is a result"
    assert state.stages["experiments"].notes == ()


def test_a_program_that_measures_nothing_is_noted(folder: Path, program: Callable[[str], Experimenter]) -> None:
    state = run_research(_plan("offline", program("raise SystemExit(3)")), folder, STAGE)
    notes = " / ".join(state.stages["experiments"].notes)
    assert "ended with 3" in notes and "nothing was measured" in notes and "no results.md" in notes
    assert "left no report" in (folder / "results" / "results.md").read_text()


def test_who_cannot_do_experiments_is_refused_beforehand() -> None:
    for model, experimenter in (
        ("offline", Experimenter(name="tools")),
        ("offline", Experimenter(name="command")),
        ("offline", Experimenter(command="true")),
        ("openai:any", Experimenter(name="aide")),
        ("openai:any", Experimenter(name="nobody")),
    ):
        with pytest.raises(UsageError):
            check_experimenter(_plan(model, experimenter))
