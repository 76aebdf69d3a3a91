"""A program as an agent, as a user starts one: real processes, the real sandbox, the command line."""

import json
import os
import signal
import socket
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.models.testing import Say, ScriptedServer
from assay.runs import events as happened
from assay.runs.blobs import Blobs
from assay.runs.events import Acted, Called, Finished, Proposed, Stepped
from assay.runs.record import RunRecord, read_run
from assay.sandbox.client import Sandbox
from assay.tasks import suites
from assay.tasks.load import Task

Call = Callable[..., subprocess.CompletedProcess[str]]

IMPROVE = """
    import pathlib, subprocess

    def measured():
        done = subprocess.run(["./validate"], capture_output=True, text=True)
        print(done.stdout, done.returncode)
        return done

    def write(x):
        pathlib.Path("algorithm.py").write_text(f"def answer():\\n    return {x}\\n")
"""


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], list[str]]:
    """Words for `assay run` that make a Python program the agent."""

    def words(source: str) -> list[str]:
        folder = tmp_path / "agent"
        folder.mkdir(exist_ok=True)
        (folder / "agent.py").write_text(textwrap.dedent(IMPROVE) + textwrap.dedent(source))
        line = f"python {folder}/agent.py"
        return ["run", "--agent", "command/mine", "--command", line, "--allow-read", str(folder)]

    return words


def record(folder: Path) -> RunRecord:
    (found,) = (folder / "results" / "runs").iterdir()
    return read_run(found)


def transcript(folder: Path) -> str:
    acted = next(event for event in record(folder).events if isinstance(event, Acted))
    return Blobs(folder / "results" / "blobs").get(acted.observation)


def values(folder: Path) -> list[float | None]:
    return [event.outcome.value for event in record(folder).events if isinstance(event, Stepped)]


def test_every_validation_is_a_step_and_the_best_is_tested(
    assay: Call, program: Callable[[str], list[str]], tiny_task: Task, tmp_path: Path
) -> None:
    words = program("""
        print(pathlib.Path("TASK.md").read_text())
        measured()
        for x in (9, 7, 20):
            write(x)
            measured()
        write("nonsense(")
        measured()
    """)
    done = assay(*words, "--task", tiny_task.paths.root, "--steps", 9)
    assert done.returncode == 0, done.stderr
    assert values(tmp_path) == [25.0, 4.0, 0.0, 169.0, None]
    said = transcript(tmp_path)
    assert "Return the point" in said and "The unchanged starter: height 25" in said
    assert "Validation 2: height 0" in said and "SyntaxError" in said and "Validations left: 8" in said
    run = record(tmp_path)
    assert [event.request.kind for event in run.events if isinstance(event, Proposed)] == ["act"] * 4
    tested = [event for event in run.events if isinstance(event, happened.Tested)]
    assert [(event.who, event.step, event.outcome.value) for event in tested] == [
        ("baseline", 0, 25.25),
        ("best", 2, 0.25),
    ]
    shown = assay("show", run.paths.root)
    assert "command/mine" in shown.stdout and "0 (+1.000)" in shown.stdout
    assert "Run Program, exit code 0" in assay("show", run.paths.root, "--step", 4).stdout
    assert "Validation 2: height 0" in assay("show", run.paths.root, "--step", 4, "--json").stdout
    assert assay("score", "results").returncode == 0
    again = assay(*words, "--task", tiny_task.paths.root, "--steps", 9)
    assert again.returncode == 0 and len(record(tmp_path).events) == len(run.events)


def test_what_it_leaves_is_measured_once_more_and_the_same_code_costs_nothing(
    assay: Call, program: Callable[[str], list[str]], tiny_task: Task, tmp_path: Path
) -> None:
    done = assay(*program("write(8); measured(); measured(); write(7)"), "--task", tiny_task.paths.root, "--steps", 2)
    assert done.returncode == 0, done.stderr
    assert values(tmp_path) == [25.0, 1.0, 0.0]


def test_steps_are_refused_when_they_are_used_up(
    assay: Call, program: Callable[[str], list[str]], tiny_task: Task, tmp_path: Path
) -> None:
    done = assay(
        *program("[(write(x), measured()) for x in (11, 10, 7)]"), "--task", tiny_task.paths.root, "--steps", 2
    )
    assert done.returncode == 0, done.stderr
    assert values(tmp_path) == [25.0, 16.0, 9.0]
    assert "No validations are left" in transcript(tmp_path)


def test_time_ends_a_program_that_does_not_end_and_its_work_is_measured(
    assay: Call, program: Callable[[str], list[str]], tiny_task: Task, tmp_path: Path
) -> None:
    words = program("""
        import os, signal, time
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        write(7)
        if os.fork() == 0:
            os.setsid()
        while True:
            time.sleep(0.01)
    """)
    done = assay(*words, "--task", tiny_task.paths.root, "--max-hours", 3 / 3600)
    assert done.returncode == 0, done.stderr
    run = record(tmp_path)
    assert isinstance(run.events[-1], Finished) and run.events[-1].reason == "hours"
    assert values(tmp_path) == [25.0, 0.0]


def test_its_own_limit_of_time_is_the_programs_end(
    assay: Call, program: Callable[[str], list[str]], tiny_task: Task, tmp_path: Path
) -> None:
    words = program("import time\nwrite(7)\nwhile True: time.sleep(0.01)")
    done = assay(*words, "--task", tiny_task.paths.root, "command/mine.max_minutes=0.04")
    assert done.returncode == 0, done.stderr
    assert record(tmp_path).finished is not None and values(tmp_path) == [25.0, 0.0]


def test_it_reaches_neither_grader_nor_solutions_nor_results_nor_keys(
    assay: Call,
    program: Callable[[str], list[str]],
    tiny_task: Task,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    sandbox: Sandbox,
) -> None:
    if sandbox.isolation.level != "full":
        pytest.skip("this machine isolates less")
    monkeypatch.setenv("A_SECRET", "swordfish")
    monkeypatch.setenv("A_GIFT", "cockle")
    places = [str(tiny_task.paths.root), str(tmp_path / "results"), str(suites.SUITES)]
    words = program(f"""
        import importlib.util, os
        for place in {places!r}:
            print("listed" if os.path.exists(place) else "nothing", place)
        print("assay can be imported" if importlib.util.find_spec("assay") else "no assay")
        print(dict(os.environ))
        try:
            from sklearn.datasets import load_digits
            load_digits()
            print("digits are there")
        except Exception as error:
            print(type(error).__name__)
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                print("environ", pid, open(f"/proc/{{pid}}/environ").read()[:2000])
            except OSError:
                pass
    """)
    done = assay(*words, "--task", tiny_task.paths.root, "--pass-env", "A_GIFT")
    assert done.returncode == 0, done.stderr
    said = transcript(tmp_path)
    assert "listed" not in said and "no assay" in said and "digits are there" not in said
    assert "swordfish" not in said and "cockle" in said
    header = (record(tmp_path).paths.header).read_text()
    assert "A_GIFT" in header and "cockle" not in header


def test_the_network_is_a_permission_of_the_program_and_never_of_what_it_writes(
    assay: Call, program: Callable[[str], list[str]], tiny_task: Task, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_accept, args=(server,), daemon=True).start()
        reach = f'import socket; socket.create_connection(("127.0.0.1", {server.getsockname()[1]}), 3).recv(2)'
        source = f"""
            try:
                {reach}
                print("the program reached it")
            except OSError as error:
                print(error)
            pathlib.Path("algorithm.py").write_text('''def answer():\\n    {reach}\\n    return 7\\n''')
            measured()
        """
        closed = assay(*program(source), "--task", tiny_task.paths.root)
        assert closed.returncode == 0, closed.stderr
        assert "the program reached it" not in transcript(tmp_path) and values(tmp_path) == [25.0, None]
        (tmp_path / "results").rename(tmp_path / "closed")
        opened = assay(*program(source), "--task", tiny_task.paths.root, "--allow-network")
        assert opened.returncode == 0, opened.stderr
        assert "the program reached it" in transcript(tmp_path) and values(tmp_path) == [25.0, None]
    assert record(tmp_path).header.spec.params["allow_network"] is True


def _accept(server: socket.socket) -> None:
    while True:
        try:
            server.accept()[0].sendall(b"hi")
        except OSError:
            return


def test_a_killed_run_goes_on_with_the_code_as_it_was_measured_last(
    program: Callable[[str], list[str]], tiny_task: Task, tmp_path: Path
) -> None:
    words = program("""
        import time
        if "You were interrupted" in pathlib.Path("TASK.md").read_text():
            print(pathlib.Path("TASK.md").read_text(), pathlib.Path("algorithm.py").read_text())
            write(7)
            measured()
        else:
            write(9)
            measured()
            while True:
                time.sleep(0.01)
    """)
    command = [sys.executable, "-m", "assay", *words, "--task", str(tiny_task.paths.root), "--steps", "5"]
    first = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL, start_new_session=True)
    while not _stepped(tmp_path, 1) and first.poll() is None:
        pass
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    assert values(tmp_path) == [25.0, 4.0]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert values(tmp_path) == [25.0, 4.0, 0.0] and record(tmp_path).finished is not None
    said = transcript(tmp_path)
    assert "Validation 1: height 4" in said and "return 9" in said


def _stepped(folder: Path, step: int) -> bool:
    files = list((folder / "results").glob("runs/*/events.jsonl"))
    lines = files[0].read_bytes().splitlines() if files else []
    return any(b'"stepped"' in line and json.loads(line)["step"] == step for line in lines if line.endswith(b"}"))


def test_nonsense_that_is_asked_is_answered_or_ends_the_program(
    assay: Call, program: Callable[[str], list[str]], tiny_task: Task, tmp_path: Path
) -> None:
    words = program("""
        import os
        write(7)
        with open(".assay/ask", "w") as ask:
            ask.write("not a number\\n../../etc\\n" + "9" * 100 + "\\n")
        measured()
        os.remove("algorithm.py")
        measured()
        pathlib.Path("algorithm.py").write_bytes(b"\\xff\\xfe")
        measured()
    """)
    done = assay(*words, "--task", tiny_task.paths.root)
    assert done.returncode == 0, done.stderr
    assert values(tmp_path) == [25.0, 0.0]
    assert transcript(tmp_path).count("algorithm.py is missing, too long, or not UTF-8 text") == 2


def test_a_call_that_cannot_be_carried_out_is_refused_before_anything_is_run(
    assay: Call, tiny_task: Task, tmp_path: Path
) -> None:
    without = assay("run", "--agent", "command", "--task", tiny_task.paths.root)
    assert without.returncode == 2 and "--command" in without.stderr
    unset = assay(
        "run",
        "--agent",
        "command",
        "--command",
        "true",
        "--pass-env",
        "NOT_SET_ANYWHERE",
        "--task",
        tiny_task.paths.root,
    )
    assert unset.returncode == 2 and "NOT_SET_ANYWHERE" in unset.stderr
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    for words in (("absent", "does not exist"), (str(private), "chmod")) if os.geteuid() == 0 else ():
        program = ("--agent", "command", "--command", "true", "--allow-read", words[0])
        refused = assay("run", *program, "--task", tiny_task.paths.root)
        assert refused.returncode == 2 and words[1] in refused.stderr
    elsewhere = assay("run", "--agent", "nop", "--command", "true", "--task", tiny_task.paths.root)
    assert elsewhere.returncode == 2 and "--agent command" in elsewhere.stderr
    assert not (tmp_path / "results").exists()


def test_its_models_are_asked_through_the_harness_which_counts_and_keeps_the_key(
    program: Callable[[str], list[str]], tiny_task: Task, tmp_path: Path, sandbox: Sandbox
) -> None:
    if "net-namespace" not in sandbox.isolation.measures:
        pytest.skip("this machine has no network namespaces")
    words = program("""
        import json, os, urllib.error, urllib.request
        for _ in range(4):
            asked = {"model": "scripted", "messages": [{"role": "user", "content": "which x?"}]}
            request = urllib.request.Request(
                os.environ["OPENAI_BASE_URL"] + "/chat/completions",
                json.dumps(asked).encode(),
                {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"], "Content-Type": "application/json"},
            )
            try:
                answer = json.load(urllib.request.urlopen(request))
            except urllib.error.HTTPError as error:
                print("refused:", error.code, error.read().decode())
                break
            write(answer["choices"][0]["message"]["content"])
            measured()
        print(dict(os.environ))
    """)
    with ScriptedServer([Say("9"), Say("7"), Say("8"), Say("6")]) as server:
        command = [sys.executable, "-m", "assay", *words, "--task", str(tiny_task.paths.root)]
        command += ["--model", server.model, "--max-tokens", "220"]
        keyed = {**os.environ, "OPENAI_COMPATIBLE_API_KEY": "a-real-key"}
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=keyed)
        assert done.returncode == 0, done.stderr
        assert [request.headers["authorization"] for request in server.asked] == ["Bearer a-real-key"] * 2
    assert values(tmp_path) == [25.0, 4.0, 0.0]
    said = transcript(tmp_path)
    assert "refused:" in said and "a-real-key" not in said
    calls = [event for event in record(tmp_path).events if isinstance(event, Called)]
    assert sum(call.usage.tokens for call in calls) == 220
