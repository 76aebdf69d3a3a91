"""How large and how fast the report and the viewer are: `python -m benchmarks.report`.

Claims: `assay report` on 1,000 runs of 100 steps under 20 s and 6 MB. Of 10,000 steps, from disk and live, a browser
has a usable first view within 1.5 s of load and opens a step within 300 ms; live, a new step arrives within two
seconds, and the server's memory stays flat. All but the first are medians of the wall clock; for the report, CPU time
over the number of cores stands in for it where other work keeps the machine busy.
"""

import contextlib
import itertools
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.journals import write_sweep

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
STEPS_OPENED = 25
ROUNDS = 300
"""Requests of each kind after which memory is looked at again."""


class Claims:
    """Says of each claim whether it holds, and remembers those that do not."""

    def __init__(self) -> None:
        self.failed: list[str] = []

    def check(self, what: str, value: float, limit: float, unit: str) -> None:
        held = value < limit
        print(
            f"  {'holds' if held else 'FAILS'}: {what} {value:.2f} {unit}, claimed under {limit:g} {unit}", flush=True
        )
        if not held:
            self.failed.append(what)


def report(results: Path, page: Path) -> tuple[float, float]:
    """Wall clock and CPU seconds of one call of `assay report`, its children included."""
    command = [sys.executable, "-m", "assay", "report", str(results), "-o", str(page)]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime


@contextlib.contextmanager
def viewer(results: Path) -> Iterator[tuple[str, int]]:
    """`assay view` as a process: its address and its id."""
    command = [sys.executable, "-m", "assay", "view", str(results), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().strip(), process.pid
        finally:
            process.terminate()


def resident_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found
    return int(found[1]) / 1024


class Window:
    """A page in Chromium."""

    def __init__(self, browser: Any) -> None:
        self.page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        self.page.set_default_timeout(120_000)

    def load(self, address: str) -> float:
        """Seconds from the request to a first view that can be used."""
        self.page.goto("about:blank")
        start = time.perf_counter()
        self.page.goto(address)
        self.page.wait_for_selector("main[data-ready]")
        return time.perf_counter() - start

    def arrival(self, journal: Path, lines: list[str]) -> float:
        """Seconds from a step in the journal to its node in the tree that is open."""
        before = self.page.locator("[data-step]").count()
        with journal.open("a") as file:
            file.writelines(lines)
        start = time.perf_counter()
        self.page.wait_for_selector(f"[data-step='{before}']", state="attached")
        return time.perf_counter() - start

    def open_steps(self, run: str, count: int) -> float:
        """Seconds from a click on a node to its diff on the screen; the median of many."""
        self.page.evaluate(f"location.hash = 'view=run&run={run}&step=0'")
        self.page.wait_for_selector("[data-step='0'][aria-current]")
        self.page.wait_for_selector(".step:not([aria-busy]) h2")
        return statistics.median(self._open(step) for step in range(1, count + 1))

    def _open(self, step: int) -> float:
        # measured inside the page, from the click to the frame after the step's heading is there
        return float(
            self.page.evaluate(
                """step => new Promise(done => {
                  const panel = document.querySelector(".step"), start = performance.now();
                  const seen = new MutationObserver(() => {
                    if (!panel.querySelector("h2")?.textContent.startsWith(`Step ${step},`)) return;
                    seen.disconnect();
                    requestAnimationFrame(() => done(performance.now() - start));
                  });
                  seen.observe(panel, {childList: true});
                  const node = document.querySelector(`[data-step="${step}"]`);
                  node.dispatchEvent(new MouseEvent("click", {bubbles: true}));
                })""",
                step,
            )
        )


def in_browser(claims: Claims, address: str, run: str, where: str) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        window = Window(browser)
        claims.check(f"{where}: first view", statistics.median(window.load(address) for _ in range(5)), 1.5, "s")
        claims.check(f"{where}: a step opens", window.open_steps(run, STEPS_OPENED), 300, "ms")
        browser.close()


class Growing:
    """A run that is taken back by a few steps, which then happen again."""

    def __init__(self, run: Path, steps: int) -> None:
        self.journal = run / "events.jsonl"
        lines = self.journal.read_text().splitlines(keepends=True)
        starts = [i for i, line in enumerate(lines) if '"type":"called"' in line][-steps:]
        self.steps = [lines[a:b] for a, b in itertools.pairwise([*starts, len(lines)])]
        self.steps[-1] = self.steps[-1][:3]  # the model's call, the proposal and its outcome; the end does not follow
        self.journal.write_text("".join(lines[: starts[0]]))


def arrivals(claims: Claims, address: str, growing: Growing) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        window = Window(browser)
        window.page.goto(f"{address}#view=run&run={growing.journal.parent.name}")
        window.page.wait_for_selector(".step:not([aria-busy]) h2")
        waits = [window.arrival(growing.journal, lines) for lines in growing.steps]
        claims.check("live: a new step arrives", statistics.median(waits), 2, "s")
        browser.close()


def memory_growth(address: str, pid: int, runs: list[str]) -> float:
    """Resident memory after many requests over that after some, when caches are full."""
    from urllib.request import urlopen

    def ask(count: int) -> float:
        for number in range(count):
            with urlopen(f"{address}runs/{runs[number % len(runs)]}/steps/{number % 100}") as answer:
                answer.read()
            with urlopen(f"{address}data") as answer:
                answer.read()
        return resident_mb(pid)

    settled = ask(ROUNDS)
    return ask(ROUNDS) / settled


def main() -> None:
    claims = Claims()
    with tempfile.TemporaryDirectory() as folder:
        results, page = Path(folder) / "thousand", Path(folder) / "thousand.html"
        count = write_sweep(results, agents=10, tasks=20, seeds=5, steps=100, code_lines=100)
        wall, cpu = report(results, page)
        print(f"{count} runs of 100 steps: {wall:.1f} s wall, {cpu:.1f} s CPU", flush=True)
        claims.check("assay report", min(wall, cpu / (os.cpu_count() or 1)), 20, "s")
        claims.check("its page", page.stat().st_size / 1e6, 6, "MB")
        shutil.rmtree(results)
        results, page = Path(folder) / "hundred", Path(folder) / "hundred.html"
        write_sweep(results, agents=5, tasks=5, seeds=4, steps=100, code_lines=100)
        runs = sorted(run.name for run in (results / "runs").iterdir())
        report(results, page)
        growing = Growing(results / "runs" / runs[-1], steps=4)
        with viewer(results) as (address, pid):
            if CHROMIUM:
                in_browser(claims, page.as_uri(), runs[0], "from disk")
                in_browser(claims, address, runs[0], "live")
                arrivals(claims, address, growing)
            else:
                print("  no Chromium: what it would show is not measured")
            if sys.platform == "linux":
                claims.check("live: memory after twice as many requests", memory_growth(address, pid, runs), 1.1, "×")
    if claims.failed:
        sys.exit(f"not as claimed: {', '.join(claims.failed)}")


if __name__ == "__main__":
    main()
