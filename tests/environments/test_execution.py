"""Scripts of a workspace run as programs do, change what is theirs and nothing else, and cannot hang or flood a run."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assay.environments.execution import MOST_CHARS, execute
from assay.sandbox.job import Job, Result
from assay.tasks.load import Task

ATTACKS = {
    "writing": "open('{file}', 'w').write('mine')",
    "appending": "open('{file}', 'a').write('mine')",
    "unlinking": "import os; os.unlink('{file}')",
    "renaming": "import os; os.rename('{file}', 'gone')",
    "replacing": "import os; open('mine', 'w').write('mine'); os.replace('mine', '{file}')",
    "opening up": "import os; os.chmod('{file}', 0o666); open('{file}', 'w').write('mine')",
}


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("file", ["train.csv", "./data//test.csv"])
def test_the_operating_system_refuses_to_change_a_read_only_file(attack: str, file: str, bench: Any) -> None:
    code = ATTACKS[attack].format(file=file)
    before = bench.workspace.read(file)
    said = bench.script(code)
    assert "exit code 1" in said and "Error: [Errno" in said
    assert bench.workspace.read(file) == before
    assert not {"train.csv", "data/test.csv"} & set(bench.workspace.own)
    # what the next script reads is what the task gave
    assert repr(before.decode()) in bench.script(f"print(repr(open('{file}').read()))")


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_repl_cannot_change_a_read_only_file(attack: str, bench: Any) -> None:
    before = bench.workspace.read("train.csv")
    assert "[Errno" in bench("Python REPL", command=ATTACKS[attack].format(file="train.csv")).text
    assert bench.workspace.read("train.csv") == before


def test_a_folder_of_read_only_files_cannot_be_replaced(bench: Any) -> None:
    before = bench.workspace.read("data/test.csv")
    bench.script(
        "import os, shutil\n"
        "for deed in (lambda: os.rename('data', 'old'), lambda: shutil.rmtree('data')):\n"
        "    try: deed()\n"
        "    except OSError: pass\n"
        "os.makedirs('data', exist_ok=True)\n"
        "open('data/mine.csv', 'w').write('1')\n"
    )
    assert bench.workspace.read("data/test.csv") == before
    assert before.decode().strip() in bench.script("print(open('data/test.csv').read())")


def test_a_symlink_that_a_script_made_leads_nowhere(bench: Any) -> None:
    said = bench.script(
        "import os\n"
        "os.symlink('/etc/passwd', 'users')\n"
        "os.symlink('/', 'root')\n"
        "os.symlink('data/test.csv', 'alias.csv')\n"
        "os.unlink('train.py'); os.symlink('/etc/hostname', 'train.py')\n"
    )
    assert "exit code 0" in said
    assert not {"users", "root", "alias.csv", "train.py"} & set(bench.workspace.paths())
    for name in ("users", "root/etc/passwd", "train.py"):
        assert bench("Read File", file_name=name).kind == "error"


def test_a_script_sees_neither_the_answers_nor_the_keys(
    bench: Any, script_task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_COMPATIBLE_API_KEY", "sk-secret")
    said = bench.script(
        "import os\n"
        "print(sorted(os.environ))\n"
        f"for path in ({str(script_task.paths.grader)!r}, '/proc/1/environ', '/proc/%d/environ' % os.getppid()):\n"
        "    try: print(open(path, 'rb').read())\n"
        "    except OSError as error: print('refused')\n"
    )
    assert "sk-secret" not in said and "POINTS" not in said and "API_KEY" not in said


def test_a_script_name_is_a_path_and_never_a_shell_command(bench: Any) -> None:
    name = "a; echo injected $(id) & 'b'.py"
    bench("Write File", file_name=name, content="print('ran', __file__)")
    said = bench("Execute Script", script_name=name).text
    assert f"ran {name}" in said and "injected" not in said.replace(name, "")
    assert "does not exist" in bench("Execute Script", script_name="train.py --fast").text


def test_both_streams_the_exit_code_and_the_duration_are_told(bench: Any) -> None:
    said = bench.script("import sys\nprint('out')\nprint('err', file=sys.stderr)\nsys.exit(3)")
    assert said.startswith("The script ended: exit code 3, after less than 1 s.")
    assert "It printed:\nout" in said and "Its errors and warnings:\nerr" in said
    assert bench.last.exit_code == 3
    said = bench.script("import sys\nprint('fine', file=sys.stderr)")
    assert "exit code 0" in said and "fine" in said
    assert "It printed nothing." in bench.script("pass")


def test_a_failing_script_shows_its_own_lines_alone(bench: Any) -> None:
    said = bench.script("def f():\n    raise ValueError('here')\nf()")
    assert 'File "try.py", line 2, in f' in said and "ValueError: here" in said and "exit code 1" in said
    assert "perform.py" not in said and "runpy" not in said


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("raise SystemExit", 0),
        ("raise SystemExit('reason')", 1),
        ("import os; os.abort()", -6),
        ("import os; os._exit(7)", 7),
        ("def f(:", 1),
        ("import threading; threading.Timer(0.05, lambda: print('late')).start()", 0),
        ("import atexit; atexit.register(print, 'late')", 0),
    ],
)
def test_a_script_ends_as_a_program_does(code: str, status: int, bench: Any) -> None:
    said = bench.script(code)
    assert f"exit code {status}," in said
    assert ("late" in code) == ("late" in said) and ("reason" in code) == ("reason" in said)


def test_long_output_is_cut_in_the_middle(bench: Any) -> None:
    said = bench.script("print('first')\nfor n in range(200): print('x' * 2000, n)\nprint('last')")
    assert "first" in said and "last" in said and "bytes left out" in said and len(said) < MOST_CHARS


def test_a_script_that_closes_its_streams_early_does_not_spin(bench: Any) -> None:
    said = bench.script(
        "import os, time\n"
        "print('before')\n"
        "os.close(1); os.close(2)\n"
        "time.sleep(0.3)\n"
        "open('after.txt', 'w').write('still here')\n"
    )
    assert "exit code 0" in said and "It printed:\nbefore" in said
    assert bench.workspace.text("after.txt") == "still here"


@pytest.mark.parametrize("silent", [True, False])
def test_a_grandchild_that_holds_the_streams_is_not_waited_for(silent: bool, bench: Any) -> None:
    work = "time.sleep(600)" if silent else "\n        print('still', flush=True); time.sleep(0.001)"
    said = bench.script(
        "import os, time\n"
        "if os.fork() == 0:\n"
        "    try: os.setsid()\n"
        "    except OSError: pass\n"
        f"    while True: {work}\n"
        "print('done')\n"
    )
    assert "exit code 0" in said and "done" in said


def test_at_its_time_limit_a_script_leaves_its_output_and_its_files(bench: Any) -> None:
    short = bench.within(1.0)
    said = short.script(
        "import time\nprint('epoch 1', flush=True)\nopen('model.txt', 'w').write('weights')\ntime.sleep(600)\n"
    )
    assert "killed after 1 s, the limit of one execution" in said and "epoch 1" in said
    assert short.workspace.text("model.txt") == "weights"
    assert short.last is not None and short.last.exit_code is None and short.last.ran == "try.py"


def test_what_a_script_writes_deletes_and_moves_is_taken_over(bench: Any) -> None:
    bench("Write File", file_name="old/a.txt", content="a")
    bench("Write File", file_name="place", content="a file")
    said = bench.script(
        "import os\n"
        "os.makedirs('deep/er'); open('deep/er/new.bin', 'wb').write(bytes(range(256)))\n"
        "open('empty', 'w').close()\n"
        "os.rename('old/a.txt', 'b.txt')\n"
        "os.unlink('place'); os.mkdir('place'); open('place/file', 'w').write('now a folder')\n"
    )
    assert "exit code 0" in said and "not kept" not in said
    own = bench.workspace
    assert own.read("deep/er/new.bin") == bytes(range(256)) and own.read("empty") == b""
    assert own.text("b.txt") == "a" and own.text("place/file") == "now a folder"
    assert "old/a.txt" not in own.own and "place" not in own.own


def test_what_cannot_be_kept_is_said(bench: Any) -> None:
    said = bench.script(
        "import os\n"
        "with open('huge', 'wb') as file: file.truncate(60 << 20)\n"
        "open(b'\\xff\\xfe', 'w').write('no text')\n"
        "open('two\\nlines', 'w').write('x')\n"
        "open('fine', 'w').write('x')\n"
    )
    assert "huge was not kept" in said and said.count("was not kept") == 3
    assert bench.workspace.text("fine") == "x" and len(bench.workspace.own) == 3


def test_a_script_that_eats_all_memory_is_told_so(bench: Any) -> None:
    said = bench.script("print('begun', flush=True)\nx = bytearray(1 << 34)")
    assert "begun" in said and ("MemoryError" in said or "memory limit" in said)


class Forging:
    """A sandbox whose process says what it likes."""

    def __init__(self, outputs: Mapping[str, Any]) -> None:
        self.outputs = dict(outputs)

    def run(self, job: Job) -> Result:
        return Result("ok", self.outputs)


def test_a_forged_answer_changes_nothing_that_is_not_the_scripts(bench: Any) -> None:
    data = np.frombuffer(b"mine", np.uint8)
    claimed = ["train.csv", "../x", "/etc/passwd", "train.py/x", "\ud800", 5, "a.txt", "./a.txt"]
    forged = {
        "paths": claimed,
        **{f"file{n}": data for n in range(len(claimed))},
        "gone": ["data/test.csv", "../x", None, "\0"],
        "left_out": ["x" * 10**6] * 5000,
        "stdout": "x" * 10**7,
        "stderr": {"not": "text"},
        "exit_code": "zero",
    }
    executed = execute(bench.workspace, Forging(forged), bench.doing.limits, script="train.py")
    assert executed.exit_code is None and executed.problem
    assert len(executed.stdout) <= MOST_CHARS and len("".join(executed.notes)) < 10_000
    assert set(bench.workspace.own) == {"train.py", "a.txt", "5"}
    assert bench.workspace.has("data/test.csv")
    for outputs in ({}, {"paths": "train.py", "gone": {}, "left_out": 3, "stdout": None}):
        execute(bench.workspace, Forging(outputs), bench.doing.limits, script="train.py")


def test_a_sandbox_that_fails_is_an_observation(bench: Any) -> None:
    class Broken:
        def run(self, job: Job) -> Result:
            return Result("infrastructure", message="no process could be started")

    bench.doing = replace(bench.doing, runner=Broken())
    seen = bench("Execute Script", script_name="train.py")
    assert seen.kind == "error" and seen.text.startswith("EnvError: ") and "no process could be started" in seen.text


def test_the_repl_is_not_in_the_harness(bench: Any) -> None:
    said = bench("Python REPL", command="import os; os.getpid()").text
    assert said.strip().isdigit() and int(said) != os.getpid()
    seen = bench("Python REPL", command="import sys; sorted(name for name in sys.modules if 'assay' in name)")
    assert "assay.runs" not in seen.text and "episode" not in seen.text
    bench("Python REPL", command="import os; os.kill(os.getppid(), 9)")
    assert bench("Python REPL", command="1 + 1").text == "2\n"


def test_names_of_the_repl_live_on(bench: Any) -> None:
    for command in (
        "import math",
        "rate = 0.5",
        "def half(x, by=rate):\n    return x * by",
        "class Point:\n    x = 1",
        "point = Point(); point.x = 7",
        "generator = (n for n in range(3))",
    ):
        assert bench("Python REPL", command=command).text == ""
    assert bench("Python REPL", command="half(8), math.floor(2.5), point.x").text == "(4.0, 2, 7)\n"
    assert "NameError" in bench("Python REPL", command="generator").text
    assert bench("Python REPL", command="for n in range(2): print(n)").text == "0\n1\n"


@pytest.mark.parametrize("command", ["1/0", "def f(:", "raise SystemExit(3)", "x" * (5 << 20), "\ud800"])
def test_a_line_that_fails_is_an_observation(command: str, bench: Any) -> None:
    seen = bench("Python REPL", command=command)
    assert seen.kind in ("ok", "error")
    assert bench("Python REPL", command="'alive'").text == "'alive'\n"
