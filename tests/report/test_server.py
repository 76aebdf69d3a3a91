"""The viewer's server as a process: whom it answers, and with what."""

import gzip
import http.client
import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest

RUN = "agent-0__made-up-task-00__made-up-model__s0"


def ask(address: str, path: str, method: str = "GET", host: str | None = None) -> tuple[int, bytes]:
    """One request with the path sent as it stands."""
    place = urlsplit(address)
    assert place.hostname and place.port
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60)
    connection.putrequest(method, path, skip_host=True)
    connection.putheader("Host", host or f"{place.hostname}:{place.port}")
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, gzip.decompress(body) if answer.headers.get("Content-Encoding") == "gzip" else body


def test_data_come_once_and_again_only_when_something_happened(
    address: str, grow: Callable[[int], None], results: Path
) -> None:
    status, body = ask(address, "/data")
    page = json.loads(body)
    assert status == 200
    assert len(page["runs"]) == len(list((results / "runs").iterdir()))
    assert ask(address, f"/data?since={page['stamp']}") == (204, b"")
    live = next(run for run in page["runs"] if run["agent"] == "live-agent")
    grow(len(live["steps"]["kind"]) + 2)
    status, body = ask(address, f"/data?since={page['stamp']}")
    grown = next(run for run in json.loads(body)["runs"] if run["agent"] == "live-agent")
    assert status == 200
    assert len(grown["steps"]["kind"]) == len(live["steps"]["kind"]) + 2


def test_the_twelve_process_metrics_are_live_too(address: str) -> None:
    page = json.loads(ask(address, "/data")[1])
    row = next(row for row in page["process"] if row["agent"] == "agent-0")
    keys = [measure["key"] for measure in page["measures"] if measure["group"] == "process"]
    assert len(keys) == 12
    assert all(row[key] is not None for key in keys)


def test_a_step_is_opened(address: str) -> None:
    status, body = ask(address, f"/runs/{RUN}/steps/2")
    step = json.loads(body)
    assert status == 200
    assert step["diff"].startswith("--- algorithm.py (step ")
    assert step["files"]["algorithm.py"]


@pytest.mark.parametrize(
    "path",
    [
        "/runs/../steps/0",
        "/runs/%2e%2e/steps/0",
        "/runs/..%2f..%2fetc/steps/0",
        "/runs/%00/steps/0",
        f"/runs/{RUN}%2f..%2f{RUN}/steps/0",
        f"/runs/{RUN}/steps/99",
        f"/runs/{RUN}/steps/-1",
        f"/runs/{quote('</script>')}/steps/0",
        "/../../etc/passwd",
        "//etc/passwd",
        f"/runs/{RUN}/events.jsonl",
        "/blobs",
    ],
)
def test_nothing_but_steps_of_runs_is_served(address: str, path: str) -> None:
    status, body = ask(address, path)
    assert status == 404
    assert b"root:" not in body


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_it_is_read_only(address: str, method: str) -> None:
    assert ask(address, "/data", method)[0] == 405


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "[::1", ""])
def test_other_host_names_are_refused(address: str, host: str) -> None:
    assert ask(address, "/data", host=host or " ")[0] in (400, 403)


def test_off_the_usual_loopback_address_every_request_needs_the_token(view: Callable[..., str], results: Path) -> None:
    address = view(results, "--host", "127.0.0.2")
    token = parse_qs(urlsplit(address).query)["token"][0]
    assert len(token) >= 32
    for path in ("/", "/data", "/charts.js", f"/runs/{RUN}/steps/0", "/?token=x", "/?token=%C3%BC"):
        assert ask(address, path)[0] == 403
    assert ask(address, f"/?token={token}")[0] == 200
    assert ask(address, f"/data?token={token}", host="a-name-of-this-machine")[0] == 200
