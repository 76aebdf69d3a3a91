"""`assay setup` for tasks whose data is not ours to give: fetched or loaded, checked, split, all or nothing."""

import hashlib
import json
import threading
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError, UsageError
from assay.evaluation.setup import set_up
from assay.sandbox.client import Sandbox
from assay.tasks.fetch import originals
from assay.tasks.installed import DATA_VARIABLE, Installed
from assay.tasks.mlab.splits import divide
from assay.tasks.spec import Source
from assay.tasks.suites import find_task, select_tasks

from .mlab_originals import house_price

Call = Callable[..., CompletedProcess[str]]
HOUSES = "mlab/house-price"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """With what the starters import done ahead."""
    with Sandbox(find_task(HOUSES).spec.preload) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    house_price(tmp_path / "originals")
    return tmp_path / "originals"


def test_from_missing_data_to_a_run(assay: Call, folder: Path, data: Path) -> None:
    workspace = find_task(HOUSES).paths.workspace
    for words in (
        ("evaluate", HOUSES, workspace),
        ("task", "check", HOUSES, "--quick"),
        ("run", "--agent", "nop", "--task", HOUSES, "--out", "results"),
    ):
        done = assay(*words)
        assert done.returncode == 2, done.stderr
        assert f"assay: the data of task '{HOUSES}' is not on this machine" in done.stderr
        assert f"assay setup {HOUSES}" in done.stderr and "Traceback" not in done.stderr
    needs = {row["task"]: row["needs"] for row in json.loads(assay("list", "tasks", "--json").stdout)}
    assert needs[HOUSES] == f"assay setup {HOUSES}"
    assert needs["mlab/clrs"] == needs["fml-mini/fairness_fairlearn"] == ""

    done = assay("setup", HOUSES, "--from", folder)
    assert done.returncode == 0, done.stderr
    assert str(data) in done.stdout and "starter here: mean_absolute_error" in done.stdout
    stored = json.loads((data / HOUSES / "baseline.json").read_text())
    done = assay("evaluate", HOUSES, workspace, "--split", "test", "--json")
    assert json.loads(done.stdout)["value"] == stored["test"] == find_task(HOUSES).spec.baseline.test
    select_tasks(HOUSES)


def test_a_suite_is_set_up_as_far_as_its_data_is_there(assay: Call, tmp_path: Path) -> None:
    house_price(tmp_path / "all" / "house-price")
    done = assay("setup", "mlab", "--from", tmp_path / "all")
    assert done.returncode == 1
    assert "1 of 11 tasks are set up" in done.stdout
    assert "mlab/imdb: " in done.stderr and "Traceback" not in done.stderr


def test_what_needs_no_data_says_so(assay: Call) -> None:
    for name in ("mlab/clrs", "fml-mini"):
        done = assay("setup", name)
        assert done.returncode == 2 and "nothing to set up" in done.stderr
    assert "nearest: mlab/house-price" in assay("setup", "mlab/house-prices").stderr
    assert "--from FOLDER" in assay("setup", "mlr").stderr


def test_nothing_changes_when_the_originals_are_wrong(folder: Path, data: Path, sandbox: Sandbox) -> None:
    task = find_task(HOUSES)
    set_up(task, sandbox, folder)
    before = {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}
    text = (folder / "train.csv").read_text()
    lines = text.splitlines()
    for wrong, said in (
        (text.replace("SalePrice", "Price"), "has no column 'SalePrice'"),
        ("\n".join(lines[:9]), "too few to be split"),
        ("\n".join([*lines, "61,1,2"]), "line 62: not as many fields"),
        (text.replace(lines[3], lines[3] + "?"), "baseline of task"),
    ):
        (folder / "train.csv").write_text(wrong)
        with pytest.raises(AssayError) as caught:
            set_up(task, sandbox, folder)
        assert said in caught.value.message
        assert {path: path.read_bytes() for path in data.rglob("*") if path.is_file()} == before
    (folder / "train.csv").unlink()
    with pytest.raises(UsageError, match=r"has no train\.csv"):
        set_up(task, sandbox, folder)


def test_data_that_was_changed_is_not_used(folder: Path, data: Path, sandbox: Sandbox) -> None:
    set_up(find_task(HOUSES), sandbox, folder)
    file = data / HOUSES / "test" / "answers"
    file.write_bytes(file.read_bytes().replace(b"0", b"1"))
    with pytest.raises(AssayError, match="was changed since it was set up") as caught:
        Installed(HOUSES).answers("test")
    assert f"assay setup {HOUSES}" in caught.value.hint


def archive(file: Path, **files: str) -> str:
    """A zip of these files and its hash."""
    with zipfile.ZipFile(file, "w") as packed:
        for name, text in files.items():
            packed.writestr(f"{name}.csv", text)
    return hashlib.sha256(file.read_bytes()).hexdigest()


def test_an_archive_in_a_folder_is_unpacked_and_compared(tmp_path: Path) -> None:
    right = archive(tmp_path / "pack.zip", train="a\n1\n")
    urls = ("https://example.org/pack.zip",)
    with originals("my/task", Source(files=("*.csv",), urls=urls, sha256={"pack.zip": right}), tmp_path) as found:
        assert (found / "train.csv").read_text() == "a\n1\n"
    assert not found.exists()
    wrong = Source(files=("*.csv",), urls=urls, sha256={"pack.zip": "0" * 64})
    with pytest.raises(UsageError, match="not the published file"), originals("my/task", wrong, tmp_path):
        pass
    (tmp_path / "pack.zip").write_bytes((tmp_path / "pack.zip").read_bytes()[:50])
    with (
        pytest.raises(UsageError, match="cannot be unpacked"),
        originals("my/task", Source(files=("x",), urls=urls), tmp_path),
    ):
        pass


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """Files over real HTTP on loopback."""
    (tmp_path / "site").mkdir()

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path / "site"))) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


def test_originals_are_downloaded_and_compared(server: str, tmp_path: Path, data: Path) -> None:
    right = archive(tmp_path / "site" / "pack.zip", train="a\n1\n")
    (tmp_path / "site" / "plain.txt").write_text("text")
    urls = (f"{server}/pack.zip", f"{server}/plain.txt")
    files = ("train.csv", "plain.txt")
    with originals("my/task", Source(files=files, urls=urls, sha256={"pack.zip": right}), None) as found:
        assert (found / "train.csv").is_file() and (found / "plain.txt").read_text() == "text"
    wrong = Source(files=files, urls=urls, sha256={"plain.txt": right})
    with pytest.raises(UsageError, match="not the published file"), originals("my/task", wrong, None):
        pass
    lost = Source(files=files, urls=(f"{server}/lost.zip",))
    with pytest.raises(AssayError, match=r"could not be fetched.*404"), originals("my/task", lost, None):
        pass
    assert list(data.iterdir()) == []


def test_kaggle_is_asked_through_the_users_own_command(
    tmp_path: Path, folder: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = find_task(HOUSES)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(UsageError, match="'kaggle' is not installed") as caught:
        set_up(task, sandbox)
    assert "competitions/home-data-for-ml-course" in caught.value.hint and "--from FOLDER" in caught.value.hint

    archive(tmp_path / "home-data-for-ml-course.zip", train=(folder / "train.csv").read_text())
    command = tmp_path / "bin" / "kaggle"
    command.parent.mkdir()
    command.write_text(
        f'#!/bin/sh\necho "$@" > {tmp_path}/asked\n/bin/cp {tmp_path}/home-data-for-ml-course.zip "$6" || exit 1\n'
    )
    command.chmod(0o755)
    measured = set_up(task, sandbox)
    assert measured.test > 0
    assert (tmp_path / "asked").read_text().startswith("competitions download -c home-data-for-ml-course -p ")
    command.write_text("#!/bin/sh\necho '403 - Forbidden' >&2\nexit 1\n")
    with pytest.raises(AssayError, match="403 - Forbidden") as refused:
        set_up(task, sandbox)
    assert "accepted the rules" in refused.value.hint


def test_what_no_command_can_fetch_is_said(sandbox: Sandbox) -> None:
    task = find_task("mlab/identify-contrails")
    with pytest.raises(UsageError, match="cannot be fetched by a command") as caught:
        set_up(task, sandbox)
    assert "--from FOLDER" in caught.value.hint
    with pytest.raises(UsageError) as missing:
        select_tasks(task.id)
    assert "download records" in missing.value.hint


items = st.lists(st.tuples(st.integers(0, 30), st.integers()), min_size=60, max_size=200)


@given(items)
def test_groups_are_never_divided_and_val_and_test_are_alike(rows: list[tuple[int, int]]) -> None:
    try:
        parts = divide(rows, group=lambda row: str(row[0]))
    except UsageError:
        return  # a few large groups leave too little
    assert len(parts.val) == len(parts.test)
    groups = [{row[0] for row in part} for part in (parts.train, parts.val, parts.test)]
    assert not groups[0] & groups[1] and not groups[0] & groups[2] and not groups[1] & groups[2]
    assert divide(rows, group=lambda row: str(row[0])) == parts
