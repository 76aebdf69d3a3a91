"""What a hostile candidate tries to read. Each attempt returns what it got; a refusal is the expected answer."""

import os
import secrets
from pathlib import Path

import pytest

import assay

pytestmark = pytest.mark.usefixtures("needs_full")

ATTEMPT = """
def attempt(action):
    try:
        return ["got", repr(action())[:300]]
    except BaseException as error:
        return ["refused", type(error).__name__ + ": " + str(error)]
"""
PACKAGE = Path(assay.__file__).parent


@pytest.fixture
def attempts(run):
    """Runs named expressions in the sandbox; returns those that were not refused."""

    def _attempts(expressions: dict[str, str], preamble: str = "") -> dict[str, list[str]]:
        lines = [f"        {name!r}: attempt(lambda: {code})," for name, code in expressions.items()]
        source = "\n".join([preamble, ATTEMPT, "def solve(x):", "    return {", *lines, "    }"])
        result = run(source)
        assert result.kind == "ok", result
        return {name: answer for name, answer in result.outputs["y"].items() if answer[0] == "got"}

    return _attempts


def test_neither_the_grader_nor_solutions_nor_assay_itself(attempts):
    grader = next(PACKAGE.glob("suites/*/*/grader.py"), PACKAGE / "errors.py")
    files = {str(path) for path in (grader, grader.parent / "task.toml", PACKAGE / "sandbox" / "client.py")}
    got = attempts(
        {
            **{f"open {path}": f"open({path!r}).read()" for path in files},
            "listing": f"__import__('os').listdir({str(PACKAGE)!r})",
            "stat": f"__import__('os').stat({str(PACKAGE)!r})",
            "import": "__import__('assay.tasks.grader')",
            "resources": "__import__('importlib.resources').resources.files('assay')",
            "pkgutil": "__import__('pkgutil').get_data('assay', 'errors.py').decode()",
            "checkout": f"__import__('os').listdir({str(PACKAGE.parent)!r})",
            "parent's folder": "__import__('os').listdir('/proc/1/cwd')",
            "own root": "open('/proc/self/root/etc/passwd').read()",
            "dot dot": "open('../../../../../../etc/passwd').read()",
            "home": "__import__('os').listdir('/root') and open('/root/.bashrc').read()",
            "git": f"open({str(PACKAGE.parent.parent / '.git' / 'HEAD')!r}).read()",
        }
    )
    assert not got


def test_no_data_set_of_the_libraries(attempts):
    import sklearn

    data = Path(sklearn.__file__).parent / "datasets" / "data"
    assert (data / "digits.csv.gz").is_file()
    program = f"open({str(data / 'iris.csv')!r}).read()"
    got = attempts(
        {
            "load_digits": "sklearn.datasets.load_digits()",
            "load_iris": "sklearn.datasets.load_iris()",
            "load_sample_images": "sklearn.datasets.load_sample_images()",
            "open": f"open({str(data / 'digits.csv.gz')!r}, 'rb').read()",
            "os.open": f"os.open({str(data / 'iris.csv')!r}, os.O_RDONLY)",
            "resources": "(importlib.resources.files('sklearn.datasets.data') / 'digits.csv.gz').read_bytes()",
            "pkgutil": "pkgutil.get_data('sklearn.datasets', 'data/digits.csv.gz')",
            "link": f"os.link({str(data / 'iris.csv')!r}, 'iris.csv')",
            "through a link": f"os.symlink({str(data / 'iris.csv')!r}, 'i') or open('i').read()",
            "by a descriptor": f"os.open('data/iris.csv', 0, dir_fd=os.open({str(data.parent)!r}, 0))",
            "by a program": f"subprocess.run([sys.executable, '-c', {program!r}], check=True)",
        },
        preamble="import importlib.resources, os, pkgutil, subprocess, sys, sklearn.datasets",
    )
    assert not got


def test_a_hidden_module_cannot_be_read(job):
    from assay.sandbox.client import Sandbox

    source = "def solve(x):\n    import json.tool, wave\n    return 1"
    with Sandbox(preload=("numpy",), hidden=("wave", "json:tool.py")) as sandbox:
        result = sandbox.run(job(source))
    assert result.kind == "crashed" and "tool" in result.message + result.log_tail


def test_no_key_from_the_environment_of_any_process(run, monkeypatch, attempts):
    assert "OPENAI_API_KEY" not in os.environ
    got = attempts(
        {
            "every process": "[open(f'/proc/{p}/environ', 'rb').read() for p in os.listdir('/proc')]",
            "parent": "open(f'/proc/{os.getppid()}/environ', 'rb').read()",
            "memory": "open('/proc/1/mem', 'rb')",
            "own": "open('/proc/self/environ', 'rb').read()",
        },
        preamble="import os",
    )
    assert not got
    names = run("import os\ndef solve(x): return sorted(os.environ)").outputs["y"]
    assert not [name for name in names if "KEY" in name or "TOKEN" in name or "SECRET" in name]


def test_the_servers_environment_is_made_anew(monkeypatch, job):
    from assay.sandbox.client import Sandbox

    monkeypatch.setenv("OPENAI_API_KEY", "sk-never-to-be-seen")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    with Sandbox() as sandbox:
        result = sandbox.run(job("import os\ndef solve(x): return dict(os.environ)"))
        server = Path(f"/proc/{sandbox._running()._process.pid}/environ").read_bytes()
    assert "sk-never-to-be-seen" not in str(result.outputs)
    assert b"sk-never-to-be-seen" not in server and b"PYTHONPATH" not in server


SCAN = """
import ctypes, os, re
def pages_near(address, megabytes):
    libc, (end, start) = ctypes.CDLL(None, use_errno=True), os.pipe()
    first = (address >> 12 << 12) - (megabytes << 20)
    for page in range(max(first, 4096), first + (megabytes << 21), 4096):
        if libc.write(start, ctypes.c_void_p(page), ctypes.c_size_t(4096)) == 4096:
            yield os.read(end, 4096)
def needles():
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    places = [id(object()), id([]), libc.malloc(64)]
    shape = re.compile(rb"needle[0-9a-f]{16}")
    return sorted({n.decode() for a in places for page in pages_near(a, 24) for n in shape.findall(page)})
"""


def test_no_data_of_another_job_is_in_the_memory_a_worker_inherits(run):
    """A stage must not find what an earlier one was given, or said: search the memory around the heaps for it."""
    mark = f"needle{secrets.token_hex(8)}"
    found = run(f"{SCAN}\nMARK = {mark!r}\ndef solve(x):\n    print(MARK)\n    return [MARK, needles()]").outputs["y"]
    assert found == [mark, [mark]], "the search finds what is there"
    assert run(f"{SCAN}\ndef solve(x):\n    return needles()").outputs == {"y": []}


def test_nothing_worth_finding_on_the_stack_or_in_the_collector(run):
    """The frames above the candidate hold its own inputs and nothing else."""
    source = """
        import gc, sys
        def solve(x):
            seen, frame = [], sys._getframe()
            while frame:
                seen += [f"{frame.f_code.co_name}.{name}" for name in frame.f_locals]
                frame = frame.f_back
            names = {type(o).__name__ for o in gc.get_objects()}
            words = ("label", "truth", "split", "grade", "secret")
            found = [name for name in seen if any(word in name for word in words)]
            return [found, sorted(names & {"Grade", "Grader", "Task", "TaskSpec", "Candidate"})]
        """
    assert run(source).outputs == {"y": [[], []]}


@pytest.mark.parametrize(
    "code",
    [
        "socket.create_connection(('127.0.0.1', 80), 1)",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
        "socket.socket(socket.AF_INET6)",
        "socket.socket(socket.AF_UNIX).connect('/run/any')",
        "socket.socket(socket.AF_UNIX).bind(chr(0) + 'abstract')",
        "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
        "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
        "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
        "socket.socket(40, socket.SOCK_STREAM)",
        "socket.getaddrinfo('localhost', 80)",
        "__import__('urllib.request').request.urlopen('http://127.0.0.1')",
    ],
)
def test_no_socket_of_any_family(attempts, code):
    assert not attempts({"socket": code}, preamble="import socket")
