"""Candidates that want more than they may have, or to stay longer than they may."""

import threading
from pathlib import Path

import pytest

from assay.sandbox.client import Sandbox


def processes_with(argument: str) -> list[int]:
    """Processes of this machine whose command line or name holds a text."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if argument in (folder / "cmdline").read_bytes().decode(errors="replace"):
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def test_runs_forever(run):
    result = run("while True: pass", seconds=0.5)
    assert (result.kind, result.message) == ("timeout", "ran longer than 0.5 s")


def test_ignores_every_signal_it_can_and_sleeps(run):
    source = """
        import signal, time
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        while True:
            time.sleep(60)
        """
    assert run(source, seconds=0.5).kind == "timeout"


def test_stops_itself(run):
    assert run("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)", seconds=0.5).kind == "timeout"


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\nheld = np.ones((1 << 30,))",
        "held = []\nwhile True: held.append(bytearray(1 << 20))",
        "held = 'x' * (1 << 33)",
        "def f(): return f\ndef solve(x):\n    held = [0]\n    while True: held += held",
    ],
)
def test_allocates_without_end(run, source):
    assert run(source, memory_mb=128).kind == "out_of_memory"


def test_allocates_without_end_in_many_processes(run):
    source = """
        import os, time
        for _ in range(6):
            if os.fork() == 0:
                held = bytearray(os.urandom(1 << 20) * 40)
                time.sleep(60)
        time.sleep(60)
        """
    result = run(source, memory_mb=128)
    assert (result.kind, result.message) == ("out_of_memory", "used more than 128 MB in all its processes")


def test_memory_shared_by_many_processes_counts_once(run):
    source = """
        import os
        def solve(x):
            held = bytearray(os.urandom(1 << 20) * 60)
            for _ in range(4):
                if os.fork() == 0:
                    import time; time.sleep(0.3); os._exit(0)
            for _ in range(4):
                os.wait()
            return len(held)
        """
    assert run(source, memory_mb=160).kind == "ok"


def test_forks_without_end(run):
    source = """
        import os
        while True:
            try:
                os.fork()
            except OSError:
                pass
        """
    assert run(source, seconds=1, processes=8).kind in ("timeout", "crashed")


def test_starts_threads_without_end(run):
    source = "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(60,)).start()"
    result = run(source, processes=8)
    assert (result.kind, result.message) == ("crashed", "RuntimeError: can't start new thread")


@pytest.mark.usefixtures("needs_full")
def test_fills_the_disk_with_one_file(run):
    result = run("with open('big', 'wb') as f:\n    while True: f.write(bytes(1 << 20))", scratch_mb=4)
    assert result.kind == "crashed" and "OSError" in result.message


@pytest.mark.usefixtures("needs_full")
def test_fills_the_disk_with_many_files(run):
    source = """
        import os
        for i in range(10**9):
            open(f"{os.environ['TMPDIR']}/{i}", "wb").write(bytes(100_000))
        """
    result = run(source, scratch_mb=4)
    assert result.kind == "crashed" and "No space left" in result.message


@pytest.mark.usefixtures("needs_full")
def test_fills_the_disk_with_empty_files(run):
    result = run("i = 0\nwhile True:\n    i += 1\n    open(f'{i}', 'wb').close()", scratch_mb=1)
    assert result.kind == "crashed" and "No space left" in result.message


def test_prints_a_gigabyte(run):
    source = (
        "import os\nblock = b'spam' * (1 << 18)\nfor _ in range(1 << 10): os.write(1, block)\ndef solve(x): return 1"
    )
    result = run(source, seconds=60)
    assert result.kind == "ok"
    assert len(result.log_tail) < 10_000 and "bytes cut" in result.log_tail


def test_answers_without_end(run):
    result = run("import os\nwhile True: os.write(3, bytes(1 << 16))")
    assert (result.kind, result.message) == ("invalid_output", "returned more than 1 MB")


@pytest.mark.usefixtures("needs_full")
def test_leaves_a_daemon(run):
    """Twice forked, in a session of its own, seen alive: it must not outlive the job that left it."""
    mark = "left-behind-by-a-candidate"
    daemon = "import time; open('alive', 'w').close(); time.sleep(600)"
    source = f"""
        import os, sys, time
        def solve(x):
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    os.execv(sys.executable, [sys.executable, "-c", {daemon!r}, {mark!r}])
                os._exit(0)
            while not os.path.exists("alive"):
                time.sleep(0.01)
            return 1
        """
    assert run(source).outputs == {"y": 1}
    assert processes_with(mark) == []


def test_leaves_a_process_that_holds_the_pipes(run):
    source = """
        import os, time
        def solve(x):
            if os.fork() == 0:
                time.sleep(600)
            return 5
        """
    assert run(source).outputs == {"y": 5}


@pytest.mark.usefixtures("needs_full")
def test_leaves_files_in_every_place_it_can_write(run):
    write = """
        import os
        from multiprocessing import shared_memory
        def solve(x):
            open("left", "w").close(); open(os.environ["TMPDIR"] + "/left", "w").close()
            shared_memory.SharedMemory("left", create=True, size=64)
            return 1
        """
    look = "import os\ndef solve(x): return [os.listdir(p) for p in ('.', os.environ['TMPDIR'], '/dev/shm')]"
    assert run(write).kind == "ok"
    assert run(look).outputs == {"y": [["algorithm.py"], [], []]}


def test_replaces_functions_of_numpy(run):
    result = run("import numpy as np\nnp.sum = np.ndarray = lambda *a: 42\nnp.asarray = None\ndef solve(x): return 1")
    assert result.kind in ("ok", "crashed")
    assert run("import numpy as np\ndef solve(x): return float(np.sum(x))").outputs == {"y": 6.0}


def test_writes_a_fake_result(run):
    """What it writes into the pipe itself is its output and no more: a payload for the grader to judge, or rubbish."""
    fake = "import os\nos.write(3, bytes([{tag}]) + b'{text}')\nos._exit(0)"
    assert run(fake.format(tag=0, text='{"score": 1.0}')).kind == "invalid_output"
    assert run("import os\ndef solve(x):\n    os.write(3, b'junk')\n    return 1").kind == "crashed"
    blame = run(fake.format(tag=1, text='{"kind": "infrastructure", "message": "again, please"}'))
    assert blame.kind == "invalid_output", "a candidate cannot have its evaluation repeated"


def test_jobs_from_several_threads(sandbox, job):
    results = {}

    def work(i: int) -> None:
        results[i] = sandbox.run(job(f"import time\ntime.sleep(0.05)\ndef solve(x): return {i}"))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {i: result.outputs for i, result in results.items()} == {i: {"y": i} for i in range(6)}


def test_the_servers_death_is_infrastructure_and_the_next_job_is_normal(job):
    with Sandbox() as sandbox:
        server = sandbox._running()
        threading.Timer(0.3, server._process.kill).start()
        result = sandbox.run(job("import time\ntime.sleep(60)"))
        assert result.kind == "infrastructure" and result.outputs is None
        assert sandbox.run(job("def solve(x): return 1")).outputs == {"y": 1}


def test_a_preload_that_is_not_installed(job):
    with Sandbox(preload=("no_such_module",)) as sandbox:
        result = sandbox.run(job("def solve(x): return 1"))
    assert result.kind == "infrastructure" and "no_such_module" in result.message
