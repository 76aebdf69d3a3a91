"""A job that may reach the harness on a socket of the sandbox's own, and nothing else."""

import socket
import threading
from collections.abc import Callable, Iterator

import pytest

from assay.sandbox.client import Sandbox
from assay.sandbox.grants import Grants

pytestmark = pytest.mark.usefixtures("needs_full")

ATTEMPT = """
import os, socket, subprocess, sys
def attempt(action):
    try:
        return ["got", repr(action())]
    except OSError as error:
        return ["refused", type(error).__name__]
def ask(address):
    with socket.create_connection(address, 5) as connection:
        connection.sendall(b"a question")
        return connection.recv(100).decode()
"""


@pytest.fixture(scope="module")
def connected() -> Iterator[Sandbox]:
    with Sandbox(grants=Grants(loopback=True)) as opened:
        yield opened


@pytest.fixture
def try_out(connected, job) -> Callable[[str], list[str]]:
    """The outcome of an expression in the sandbox."""

    def tried(expression: str, preamble: str = "") -> list[str]:
        result = connected.run(job(f"{preamble}\n{ATTEMPT}\ndef solve(x):\n    return attempt(lambda: {expression})"))
        assert result.kind == "ok", result
        return result.outputs["y"]

    return tried


def answers_one(listener: socket.socket) -> threading.Thread:
    def accept() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.sendall(b"an answer to " + connection.recv(100))

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    return thread


def test_it_reaches_the_harness_and_isolation_is_full(connected, try_out):
    assert connected.isolation.level == "full" and "loopback: granted" in connected.isolation.missing
    for _ in range(2):
        harness = answers_one(connected.listener)
        assert try_out(f"ask({connected.listener.getsockname()})") == ["got", "'an answer to a question'"]
        harness.join(10)


def test_nobody_outside_reaches_the_listener(connected):
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(connected.listener.getsockname(), 5)


def test_no_server_of_this_machine_is_reached(try_out):
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as abstract:
        name = f"\0assay-test-{tcp.getsockname()[1]}"
        abstract.bind(name)
        abstract.listen()
        assert try_out(f"ask({tcp.getsockname()})") == ["refused", "ConnectionRefusedError"]
        kind, why = try_out(f"socket.socket(socket.AF_UNIX).connect({name!r})")
        assert kind == "refused" and why in ("ConnectionRefusedError", "PermissionError")


@pytest.mark.parametrize(
    "expression",
    [
        "ask(('192.0.2.1', 80))",
        "ask(('2001:db8::1', 80))",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))",
        "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
        "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
        "socket.socket(40, socket.SOCK_STREAM)",  # to the host of a virtual machine: no namespace holds it
        "socket.socket(31, socket.SOCK_RAW)",
        "socket.socket(38, socket.SOCK_SEQPACKET)",
        "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 12)",
        "socket.gethostbyname('example.org')",
    ],
)
def test_nothing_else_is_reached(try_out, expression):
    assert try_out(expression)[0] == "refused"


def test_it_has_loopback_alone_and_cannot_change_that(try_out):
    assert try_out("socket.if_nameindex()") == ["got", "[(1, 'lo')]"]
    down = "__import__('fcntl').ioctl(socket.socket(), 0x8914, __import__('struct').pack('16sH22x', b'lo', 0))"
    assert try_out(down) == ["refused", "PermissionError"]


def test_its_own_processes_may_talk_to_each_other(try_out):
    child = "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1]))).sendall(b'hi')"
    preamble = f"""
def talk():
    with socket.create_server(("127.0.0.1", 0)) as mine:
        child = subprocess.Popen([sys.executable, "-c", {child!r}, str(mine.getsockname()[1])])
        said = mine.accept()[0].recv(10)
        return child.wait(), said
"""
    assert try_out("talk()", preamble) == ["got", "(0, b'hi')"]


def test_the_job_does_not_hold_the_listener(connected, try_out):
    held = "[fd for fd in range(256) if attempt(lambda: os.fstat(fd))[0] == 'got']"
    assert try_out(held) == ["got", "[0, 1, 2, 3]"]


def test_without_the_grant_there_is_no_listener(sandbox):
    assert sandbox.listener is None


def test_the_listener_ends_with_the_sandbox():
    with Sandbox(preload=(), grants=Grants(loopback=True)) as opened:
        listener = opened.listener
    assert listener is not None and listener.fileno() == -1
