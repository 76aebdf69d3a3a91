"""What a job's end is called, and what the agent is shown of it."""

import numpy as np
import pytest


def test_outputs_are_arrays_and_json(run):
    result = run("def solve(x):\n    return x * 2")
    assert result.kind == "ok"
    assert np.array_equal(result.outputs["y"], [0, 2, 4, 6])
    assert result.clock.seconds > 0 and result.clock.cpu_seconds > 0 and result.clock.peak_mb > 1


def test_files_import_each_other_and_are_in_the_current_folder(run):
    result = run(
        "import helper\nfrom pathlib import Path\ndef solve(x):\n    return helper.twice(Path('note.txt').read_text())",
        files={"helper.py": "def twice(a): return a + a", "note.txt": "ab", "deep/er.py": ""},
    )
    assert result.outputs == {"y": "abab"}


def test_a_traceback_shows_the_candidates_lines_and_no_path_of_this_machine(run):
    result = run(
        """
        import numpy as np
        def solve(x):
            return np.linalg.inv(np.zeros((2, 2)))
        """
    )
    assert (result.kind, result.message) == ("crashed", "numpy.linalg.LinAlgError: Singular matrix")
    assert "return np.linalg.inv(np.zeros((2, 2)))" in result.log_tail
    assert 'File "algorithm.py", line 4, in solve' in result.log_tail
    assert 'File "<site-packages>/numpy/linalg' in result.log_tail
    assert "sandbox" not in result.log_tail and "/box" not in result.log_tail and 'File "/' not in result.log_tail


def test_a_traceback_from_an_import_leaves_the_import_machinery_out(run):
    result = run("import helper", files={"helper.py": "try:\n    1 / 0\nexcept ZeroDivisionError:\n    absent"})
    assert result.message == "NameError: name 'absent' is not defined"
    assert "1 / 0" in result.log_tail and 'File "helper.py", line 4' in result.log_tail
    assert "frozen" not in result.log_tail and "assay" not in result.log_tail


@pytest.mark.parametrize(
    ("source", "kind", "message"),
    [
        ("raise ValueError('at import')", "crashed", "ValueError: at import"),
        ("def solve(x) return", "crashed", "SyntaxError: expected ':'"),
        ("def solve(x): return x @ y", "crashed", "NameError: name 'y' is not defined"),
        ("import sys\nsys.exit(0)", "crashed", "SystemExit: 0"),
        ("import os\nos._exit(7)", "crashed", "ended without an answer, exit status 7"),
        ("import ctypes\nctypes.string_at(0)", "crashed", "killed by SIGSEGV"),
        ("import os\nos.kill(os.getpid(), 9)", "crashed", "killed by SIGKILL"),
        ("class E(Exception):\n  def __str__(s): 1/0\nraise E", "crashed", "algorithm.E: <exception str() failed>"),
        ("def solve(x): return object()", "invalid_output", "a value is neither an array nor JSON"),
        ("import numpy as np\ndef solve(x): return np.array([print])", "invalid_output", "'y' is an array of object"),
        ("import numpy as np\ndef solve(x): return np.zeros(10**6)", "invalid_output", "returned more than 1 MB"),
        ("def solve(x): return 'a' * 10**7", "invalid_output", "large data goes into arrays"),
    ],
)
def test_kinds(run, source, kind, message):
    result = run(source)
    assert result.kind == kind
    assert message in result.message
    assert result.outputs is None


def test_nan_and_infinity_pass_for_the_grader_to_judge(run):
    result = run("import numpy as np\ndef solve(x): return np.array([np.nan, np.inf, 1.0])")
    assert np.isnan(result.outputs["y"][0]) and np.isinf(result.outputs["y"][1])


def test_not_a_mapping(run):
    result = run("", perform="def perform(candidate, inputs): return [1, 2]")
    assert result.kind == "invalid_output"
    assert "expected a mapping" in result.message


@pytest.mark.usefixtures("needs_full")
def test_the_log_is_the_same_for_the_same_work(run):
    source = "import os, tempfile\ndef solve(x):\n    print(object(), os.getcwd(), tempfile.gettempdir(), os.getpid())"
    first, second = run(source), run(source)
    assert first.log_tail == second.log_tail
    assert "<object object at 0x…>" in first.log_tail


def test_chance_is_the_same_every_time(run):
    source = "import random, numpy as np\ndef solve(x): return [random.random(), np.random.rand(), hash('a')]"
    assert run(source).outputs == run(source).outputs


def test_the_beginning_and_the_end_of_a_long_log_are_kept(run):
    result = run("def solve(x):\n    print('first')\n    print('x' * 100_000)\n    raise KeyError('last')")
    assert result.log_tail.startswith("first") and "bytes cut" in result.log_tail
    assert result.log_tail.rstrip().endswith("KeyError: 'last'")
    assert len(result.log_tail) < 10_000


@pytest.mark.usefixtures("needs_full")
def test_several_processes_work(run):
    """Pools of processes are ordinary research code: they need semaphores, temporary files and a second interpreter."""
    result = run(
        """
        from multiprocessing import get_context
        def square(a):
            return a * a
        def solve(x):
            with get_context("fork").Pool(2) as pool:
                return pool.map(square, [1, 2, 3])
        """
    )
    assert result.outputs == {"y": [1, 4, 9]}, result


def test_a_second_interpreter_starts(run):
    result = run(
        """
        import subprocess, sys
        def solve(x):
            return subprocess.run([sys.executable, "-c", "print(6 * 7)"], capture_output=True, text=True).stdout
        """
    )
    assert result.outputs == {"y": "42\n"}, result
