"""The README's pictures, from a real sweep: `python scripts/pictures.py [RESULTS]`.

RESULTS is kept and continued if it is named; else the sweep is made in a folder that is thrown away. Needs Chromium.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
AGENTS = "autoresearch,aide,openevolve,adaptive_search"
TASKS = "fml-mini/fairness_fairlearn,fml-mini/robustness_openood,fml-mini/data_efficiency_easyfsl"
SEEDS, STEPS = 2, 12
WIDTH = 1280
LIMIT = 300_000
"""Bytes of one picture."""
BUSIEST = "aide__fml-mini-robustness_openood__offline__s0"
"""The run that is shown: drafts, improvements, a debug and failures."""
VIEWS = {
    "leaderboard": ("view=leaderboard", 800),
    "run": (f"view=run&run={BUSIEST}", 900),
    "curves": ("view=curves", 640),
    "behaviour": ("view=behaviour", 800),
}
"""Picture → the address of its view, and its height."""


def main() -> None:
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        sys.exit("pictures: no Chromium on this machine\n  on Debian: apt-get install chromium")
    with tempfile.TemporaryDirectory() as scratch:
        results = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(scratch) / "results"
        page = Path(scratch) / "report.html"
        sweep = ["--agent", AGENTS, "--task", TASKS, "--seeds", str(SEEDS), "--steps", str(STEPS), "--jobs", "2"]
        _assay("run", *sweep, "--out", str(results))
        _assay("report", str(results), "-o", str(page))
        _photograph(chromium, page.as_uri())


def _assay(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "assay", *words], check=True)


def _photograph(chromium: str, address: str) -> None:
    from playwright.sync_api import sync_playwright

    PICTURES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, (state, height) in VIEWS.items():
            page = browser.new_page(viewport={"width": WIDTH, "height": height}, color_scheme="light")
            page.goto(f"{address}#{state}")
            page.wait_for_selector("main[data-ready]")
            _wait_for_charts(page)
            file = PICTURES / f"{name}.png"
            page.screenshot(path=file)
            print(f"{file.relative_to(PICTURES.parents[1])}: {file.stat().st_size / 1000:.0f} kB")
            if file.stat().st_size > LIMIT:
                sys.exit(f"{file} is larger than {LIMIT / 1000:.0f} kB")
            page.close()
        browser.close()


def _wait_for_charts(page: Any) -> None:
    """Until all charts in sight are drawn. Asked from outside: the page's policy forbids to evaluate a text in it."""
    waiting = "document.querySelectorAll('.chart:not([data-drawn])')"
    for _ in range(600):
        if page.evaluate(f"[...{waiting}].every(c => c.getBoundingClientRect().top > innerHeight)"):
            return
        page.wait_for_timeout(100)
    sys.exit("pictures: a chart was never drawn")


if __name__ == "__main__":
    main()
