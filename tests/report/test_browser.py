"""The page in a real browser, from disk and live. Every test fails on an error in the console: see `page`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.embedding.tokens import Tokens
from assay.report.static import write_report

pytestmark = pytest.mark.browser

VIEWS = ("leaderboard", "curves", "behaviour", "run", "integrity")
RUN = "agent-1__made-up-task-01__made-up-model__s1"
LIVE = "live-agent__made-up-task-00__offline__s0"


@pytest.fixture(scope="module")
def file(results: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    made = tmp_path_factory.mktemp("page") / "report.html"
    write_report(results, made, Tokens())
    return made.as_uri()


def opened(page: Any, address: str, state: str) -> Any:
    page.goto("about:blank")
    page.goto(f"{address}#{state}")
    view = dict(word.split("=") for word in state.split("&")).get("view", "leaderboard")
    page.wait_for_selector(f'main[data-ready="{view}"]')
    return page


def until(page: Any, condition: str) -> None:
    """Wait for a condition. Asked from outside, because the page's own policy forbids to evaluate a text in it."""
    for _ in range(1200):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never came true: {condition}")


def opens(page: Any, step: int) -> None:
    until(page, f"document.querySelector('.step h2')?.textContent.startsWith('Step {step},')")


def rows(page: Any, count: int) -> None:
    until(page, f"document.querySelectorAll('main table tbody tr').length === {count}")


def drawn(page: Any) -> None:
    """Wait until every chart near the window is drawn."""
    until(
        page,
        "[...document.querySelectorAll('.chart')].every("
        "c => c.dataset.drawn || c.getBoundingClientRect().top > innerHeight)",
    )


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_from_disk_in_both_themes_and_on_a_narrow_screen(page: Any, file: str, view: str) -> None:
    opened(page, file, f"view={view}")
    drawn(page)
    assert page.locator("main h2").first.inner_text()
    page.locator("#theme").click()
    page.set_viewport_size({"width": 400, "height": 800})
    drawn(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 400, "the page itself must not scroll sideways"


def test_every_view_live(page: Any, address: str) -> None:
    for view in VIEWS:
        opened(page, address, f"view={view}")
        drawn(page)
    # the machines are asked of the server, after the view is drawn
    page.locator(".machines .panel").first.wait_for()


def test_filters_choose_runs_and_the_address_keeps_them(page: Any, file: str) -> None:
    opened(page, file, "view=integrity")
    everything = page.locator("main table tbody tr").count()
    page.locator('select[name="agent"]').select_option("agent-1")
    rows(page, 4)
    page.locator('select[name="seed"]').select_option("1")
    rows(page, 2)
    shared = page.url
    page.goto("about:blank")
    page.goto(shared)
    page.wait_for_selector('main[data-ready="integrity"]')
    assert page.locator("main table tbody tr").count() == 2
    page.get_by_role("button", name="show all").click()
    rows(page, everything)


def test_a_filtered_leaderboard_shows_no_intervals_that_belong_to_all_runs(page: Any, file: str) -> None:
    opened(page, file, "view=leaderboard")
    assert page.locator("td small", has_text="…").count()
    opened(page, file, "view=leaderboard&task=made-up%2Ftask-00&seed=0")
    assert "filtered out" in page.locator("main").inner_text()
    assert not page.locator("main table").first.locator("td small", has_text="…").count()


def test_a_click_on_a_node_shows_its_diff(page: Any, file: str) -> None:
    opened(page, file, f"view=run&run={RUN}")
    page.locator('[data-step="3"]').click()
    page.wait_for_selector('[data-step="3"][aria-current="true"]')
    opens(page, 3)
    assert page.locator(".diff .add").count() and page.locator(".diff .del").count()
    assert "step=3" in page.url
    page.go_back()
    until(page, "!document.querySelector('.step h2').textContent.startsWith('Step 3')")


def test_the_tree_is_walked_by_keyboard(page: Any, file: str) -> None:
    opened(page, file, f"view=run&run={RUN}&step=0")
    page.locator('[data-step="0"]').focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    focused = int(page.evaluate("document.activeElement.dataset.step"))
    assert focused >= 1
    page.keyboard.press("Enter")
    page.wait_for_selector(f'[data-step="{focused}"][aria-current="true"]')
    assert page.evaluate("document.activeElement.dataset.step") == str(focused), "the focus stays in the tree"


def test_the_first_key_skips_to_the_content(page: Any, file: str) -> None:
    opened(page, file, "view=curves")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    assert page.locator('main[data-ready="curves"]').count() == 1


def test_a_new_step_arrives_without_disturbing_what_is_open(
    page: Any, address: str, grow: Callable[[int], None]
) -> None:
    opened(page, address, f"view=run&run={LIVE}&step=1")
    opens(page, 1)
    page.locator(".step details").last.locator("summary").click()
    before = page.locator("[data-step]").count()
    grow(before + 1)
    # two seconds are the promise on a machine that is not busy; the test waits longer and asserts no time
    until(page, f"document.querySelectorAll('[data-step]').length > {before}")
    assert page.locator(".step details[open]").count() == 1
    assert page.locator(".step h2").inner_text().startswith("Step 1")


@pytest.mark.parametrize("where", ["file", "address"])
def test_hostile_text_stays_text(page: Any, where: str, request: pytest.FixtureRequest) -> None:
    place = request.getfixturevalue(where)
    for step in (1, 2):
        opened(page, place, f"view=run&run=hostile&step={step}")
        opens(page, step)
        page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        shown = page.locator(".step").inner_text()
        assert "<img src=x onerror='window.hacked=1'>" in shown
        assert "{{7*7}} ${7*7} %{x}" in shown
        assert not page.locator("main img, main script, main iframe, main b").count()
    for view in VIEWS:
        opened(page, place, f"view={view}&seed=666")
        drawn(page)
        assert not page.locator("main img, main script, main b, main a[href^='javascript']").count()
    assert "<script>" in page.locator("main").inner_text()


def test_a_made_up_address_shows_a_page_and_not_an_error(page: Any, file: str) -> None:
    page.goto(f"{file}#view=constructor&run=__proto__&step=1e9&__proto__=x&agent=nobody")
    page.wait_for_selector('main[data-ready="leaderboard"]')
    assert "No run matches the filters." in page.locator("main").inner_text()
    opened(page, file, f"view=run&run={RUN}&step=-5")
    page.wait_for_selector(".step h2")
