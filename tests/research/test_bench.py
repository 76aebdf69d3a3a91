"""Commands of experiments: in the sandbox, recorded, and nothing kept but what they wrote as results."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from assay.research.bench import Bench
from assay.research.evidence import PROCESSES, read_processes
from assay.research.paths import ResearchPaths
from assay.sandbox.client import Sandbox
from assay.sandbox.job import Job, Result
from assay.tasks.spec import Limits


def test_a_command_is_recorded_with_code_files_and_clock(bench: Bench, root: Path) -> None:
    code = (
        "import json, sys\nimport numpy as np\nfrom chart import line_chart\n"
        "with np.load('data/wine.npz') as file:\n    rows = len(file['labels'])\n"
        "json.dump({'rows': rows, 'argument': sys.argv[1]}, open('results/out.json', 'w'))\n"
        "line_chart('results/a.svg', 'A', 'x', 'y', [0.0, 1.0], {'s': [1.0, 2.0]})\nprint('seen', rows)\n"
    )
    bench.write_code({"code/count.py": code})
    record = bench.run(["code/count.py", "--all"])
    assert record.exit_code == 0
    assert record.command == ("python", "code/count.py", "--all")
    assert record.code["code/count.py"] == hashlib.sha256(code.encode()).hexdigest()
    assert set(record.code) == {"code/count.py", "code/chart.py"}
    assert record.started < record.ended
    assert json.loads((root / "results/out.json").read_text()) == {"rows": 178, "argument": "--all"}
    assert {file.path: file.sha256 for file in record.written} == {
        path: hashlib.sha256((root / path).read_bytes()).hexdigest() for path in ("results/out.json", "results/a.svg")
    }
    assert list(read_processes(root)) == [record]
    assert "seen 178" in (root / "results/log.txt").read_text()


def test_later_commands_see_the_results_of_earlier_ones(bench: Bench, root: Path) -> None:
    bench.write_code({"code/a.py": "open('results/n.txt', 'w').write('1')"})
    bench.write_code(
        {"code/b.py": "n = int(open('results/n.txt').read()); open('results/n.txt', 'w').write(str(n + 1))"}
    )
    bench.run(["code/a.py"])
    second = bench.run(["code/b.py"])
    assert (root / "results/n.txt").read_text() == "2"
    assert [file.path for file in second.written] == ["results/n.txt"]


def test_a_crash_and_a_kill_are_recorded_as_such(tmp_path: Path, sandbox: Sandbox) -> None:
    bench = Bench(ResearchPaths(tmp_path), sandbox, (), Limits(seconds=3, processes=16))
    bench.write_code(
        {
            "code/fail.py": "open('results/part.txt', 'w').write('half')\nraise ValueError('no such column')",
            "code/hang.py": "import time\nprint('waiting', flush=True)\ntime.sleep(600)",
        }
    )
    failed, killed = bench.run(["code/fail.py"]), bench.run(["code/hang.py"])
    assert failed.exit_code == 1
    assert "ValueError: no such column" in failed.output
    assert [file.path for file in failed.written] == ["results/part.txt"]
    assert killed.exit_code is None
    assert "waiting" in killed.output
    assert "timeout" in killed.output
    assert killed.written == ()


def test_an_experiment_reaches_neither_record_nor_paper_nor_network(bench: Bench, root: Path) -> None:
    hostile = """
import os, pathlib, socket
for name in ("processes.jsonl", "results/paper.md", "results/results.md", "results/log.txt", "idea.md"):
    pathlib.Path(name).write_text("forged")
pathlib.Path("results/real.txt").write_text("kept")
os.symlink("/etc/passwd", "results/link.txt")
try:
    socket.create_connection(("127.0.0.1", 9), timeout=1)
except OSError as error:
    print("no network:", type(error).__name__)
print(sorted(name for name in os.environ if "KEY" in name))
"""
    bench.write_code({"code/hostile.py": hostile})
    record = bench.run(["code/hostile.py"])
    assert [file.path for file in record.written] == ["results/real.txt"]
    assert "[not kept: results/paper.md]" in record.output
    assert "no network:" in record.output
    assert not (root / "results/paper.md").exists()
    assert not (root / "idea.md").exists()
    assert len(list(read_processes(root))) == 1


@dataclass
class Forger:
    """A sandbox whose answer a hostile process has taken over."""

    path: str

    def run(self, job: Job) -> Result:
        return Result("ok", outputs={"exit_code": 0, "paths": [self.path], "file0": np.zeros(3, np.uint8)})


@pytest.mark.parametrize(
    "path",
    [
        "../out.txt",
        "results/../../out.txt",
        "/tmp/of-a-hostile-experiment.txt",
        "results",
        "results/.x",
        "code/a.py",
        "idea.md",
    ],
)
def test_paths_in_the_sandboxes_answer_are_not_believed(root: Path, path: str) -> None:
    record = Bench(ResearchPaths(root), Forger(path), ()).run(["code/a.py"])
    assert record.written == ()
    assert record.output == f"[not kept: {path}]"
    assert not (root / "results" / path).exists()


def test_what_ran_is_not_run_again_unless_something_changed(bench: Bench, root: Path, sandbox: Sandbox) -> None:
    code = "import uuid\nopen('results/id.txt', 'w').write(uuid.uuid4().hex)"
    bench.write_code({"code/a.py": code})
    first = bench.run(["code/a.py"])
    again = Bench(ResearchPaths(root), sandbox, ("wine",))
    assert again.run(["code/a.py"]) == first
    (root / "results/id.txt").write_text("typed by hand")
    repeated = Bench(ResearchPaths(root), sandbox, ("wine",)).run(["code/a.py"])
    assert repeated.written[0].sha256 != first.written[0].sha256
    other = Bench(ResearchPaths(root), sandbox, ("wine",))
    other.write_code({"code/a.py": code + "\n# changed"})
    assert other.run(["code/a.py"]).code != first.code
    assert len(list(read_processes(root))) == 3


def test_a_record_cut_in_writing_is_dropped(bench: Bench, root: Path, sandbox: Sandbox) -> None:
    bench.write_code({"code/a.py": "print('once')"})
    record = bench.run(["code/a.py"])
    file = root / PROCESSES
    file.write_bytes(file.read_bytes() + b'{"version": 1, "stage": "exp')
    assert Bench(ResearchPaths(root), sandbox, ()).run(["code/a.py"]) == record
