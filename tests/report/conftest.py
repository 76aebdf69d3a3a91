"""A results folder with a small sweep, a search that goes on, and a run whose every text is hostile; and a browser."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from assay.runs.blobs import Blobs
from assay.runs.events import Called, Clock, Event, Finished, Proposed, Recorded, Stepped, Tested
from assay.runs.record import Header
from assay.runs.spec import RunSpec
from assay.sandbox.job import Isolation
from assay.strategies.request import Request, Usage
from assay.tasks.candidate import text_digest
from assay.tasks.facts import TaskFacts
from assay.tasks.spec import Metric

JOURNALS = Path(__file__).parents[2] / "benchmarks" / "journals.py"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
HOSTILE = (
    "</script><script>window.hacked=1</script><img src=x onerror='window.hacked=1'><b>bold</b> {{7*7}} ${7*7} %{x} "
    "<a href='javascript:window.hacked=1'>a</a> \x1b[31mred\x1b[0m \u202eright\u202c \u200b\ud800 &lt;b&gt; $script"
)
"""Markup, templates of several kinds, terminal commands, direction marks, nothing to see, half a character."""
WHOLE = HOSTILE.replace("\ud800", "")
"""For journals and headers, whose JSON holds whole characters only; blobs hold the half one too."""
LIVE = "live-agent__made-up-task-00__offline__s0"


@pytest.fixture(scope="session")
def journals() -> ModuleType:
    """`benchmarks/journals.py`, which writes runs through the journal's own models."""
    name = "benchmarks_journals"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, JOURNALS)
        assert spec and spec.loader
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def going_on(journals: ModuleType, steps: int) -> Any:
    taken = [journals.Step(0.5 + 0.01 * i, parent=max(0, i - 1)) for i in range(steps)]
    return journals.Run(agent="live-agent", task="made-up/task-00", finished=False, steps=taken)


@pytest.fixture(scope="session")
def results(journals: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("report") / "results"
    journals.write_sweep(folder, agents=2, tasks=2, seeds=2, steps=8, code_lines=20)
    journals.write_run(folder, going_on(journals, 2))
    write_hostile(folder)
    return folder


@pytest.fixture
def grow(journals: ModuleType, results: Path, tmp_path: Path) -> Callable[[int], None]:
    """Append what the search that goes on does on its way to so many steps."""

    def to(steps: int) -> None:
        longer = journals.write_run(tmp_path / str(steps), going_on(journals, steps)) / "events.jsonl"
        journal = results / "runs" / LIVE / "events.jsonl"
        with journal.open("a") as file:
            file.writelines(longer.read_text().splitlines(keepends=True)[len(journal.read_text().splitlines()) :])

    return to


def write_hostile(results: Path) -> None:
    """A run of which every text that an agent, a model or a candidate writes is hostile."""
    blobs = Blobs(results / "blobs")
    spec = RunSpec(agent=HOSTILE[:160], task=f"evil/{HOSTILE[:60]}", model=HOSTILE[:100], seed=666)
    metric = Metric(name="acc", direction="max", best=1.0, worst=0.0)
    facts = TaskFacts(title=WHOLE, area="x", metric=metric, files={"algorithm.py": blobs.put("x = 1\n")})
    folder = results / "runs" / "hostile"
    folder.mkdir(parents=True)
    header = Header(
        spec=spec,
        task_digest="0",
        task=facts,
        isolation=Isolation(level="full"),
        versions={"assay": HOSTILE[:90]},
        machine={"system": HOSTILE[:90]},
    )
    (folder / "run.json").write_text(header.model_dump_json())
    events = "".join(event.model_dump_json() + "\n" for event in _hostile_events(blobs))
    (folder / "events.jsonl").write_text(events)


def _hostile_events(blobs: Blobs) -> Iterator[Event]:
    clock, good = Clock(at=1.0), Recorded(kind="ok", value=0.5, metrics={"acc": 0.5})
    text = WHOLE
    files = {"algorithm.py": blobs.put(f"# {HOSTILE}\nx = '''{HOSTILE}'''\n")}
    usage = Usage(calls=1, input_tokens=10, output_tokens=10, usd=0.01)
    request = Request(kind="draft", parents=(0,), idea=text, guidance=text, memory=blobs.put(HOSTILE), origin=text)
    bad = Recorded(kind="crashed", blame="agent", message=text, log=blobs.put(HOSTILE))
    yield Stepped(clock=clock, step=0, candidate="0", outcome=good)
    said = blobs.put(HOSTILE)
    yield Called(clock=clock, key="0", prompt=said, answer=said, stop=text, usage=usage)
    for step, outcome in ((1, bad), (2, Recorded(kind="ok", value=0.6, metrics={"acc": 0.6}))):
        yield Proposed(
            clock=clock,
            step=step,
            request=request,
            files=files,
            candidate=text_digest(str(step)),
            description=text,
            usage=usage,
        )
        yield Stepped(clock=clock, step=step, candidate=text_digest(str(step)), outcome=outcome)
    yield Tested(clock=clock, who="baseline", step=0, outcome=good)
    yield Tested(clock=clock, who="best", step=2, outcome=good)
    yield Finished(clock=clock, reason="steps", best=2)


@pytest.fixture(scope="session")
def view() -> Iterator[Callable[..., str]]:
    """`assay view` as a real process; gives the address it prints."""
    started: list[subprocess.Popen[str]] = []

    def start(results: Path, *words: str) -> str:
        command = [sys.executable, "-m", "assay", "view", str(results), "--port", "0", *words]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"}
        )
        started.append(process)
        assert process.stdout
        address = process.stdout.readline().strip()
        assert re.match(r"http://\S+:\d+/", address), address
        return address

    yield start
    for process in started:
        process.terminate()
        process.wait(30)
        if process.stdout:
            process.stdout.close()


@pytest.fixture(scope="session")
def address(view: Callable[..., str], results: Path) -> str:
    return view(results)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine; on Debian: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page on which no script may fail, no error may be logged and nothing hostile may run."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened = context.new_page()
    opened.set_default_timeout(60_000)
    troubles: list[str] = []
    opened.on(
        "console", lambda message: troubles.append(message.text) if message.type in ("error", "warning") else None
    )
    opened.on("pageerror", lambda error: troubles.append(str(error)))
    opened.on("dialog", lambda dialog: troubles.append("a dialog") or dialog.dismiss())
    yield opened
    hacked = opened.evaluate("window.hacked")
    context.close()
    assert not troubles
    assert hacked is None
