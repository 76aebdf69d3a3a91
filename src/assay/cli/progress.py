"""Watching a sweep: a live table in a terminal, a line for every finished run elsewhere."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from assay.cli.output import console, number
from assay.engines.base import RunState, Sweep, Watch

if TYPE_CHECKING:
    from rich.console import RenderableType


@contextmanager
def watching(sweep: Sweep, quiet: bool) -> Iterator[Watch]:
    """A function that takes the states of runs as they change and shows them on standard error."""
    if quiet:
        yield lambda state: None
    elif console(stderr=True).is_terminal:
        with _live(sweep) as watch:
            yield watch
    else:
        yield _plain(sweep)


def _plain(sweep: Sweep) -> Watch:
    done = 0

    def watch(state: RunState) -> None:
        nonlocal done
        if state.status in ("running", "waiting"):
            return
        done += 1
        click.echo(f"[{done}/{len(sweep.specs)}] {_line(state)}", err=True)

    return watch


def _line(state: RunState) -> str:
    before = " (before)" if state.resumed else ""
    spend = f", ${state.usage.usd:.4f}" if state.usage.usd else ""
    figures = f"{number(state.baseline)} → {number(state.best)} in {state.step} steps, {state.seconds:.1f} s{spend}"
    return f"{state.run_id}: {state.status}{before}, {figures}, {state.reason}"


@contextmanager
def _live(sweep: Sweep) -> Iterator[Watch]:
    from rich.live import Live

    board = _Board(sweep)
    with Live(get_renderable=board.render, console=console(stderr=True), refresh_per_second=4) as live:
        yield board.note
        live.refresh()


class _Board:
    """What the live view knows: the last state of every run, and when the sweep began."""

    def __init__(self, sweep: Sweep) -> None:
        self._states: dict[str, RunState] = {}
        self._runs = len(sweep.specs)
        self._steps = sum(spec.caps.steps or 0 for spec in sweep.specs)
        self._began = time.monotonic()
        self._steps_before: int | None = None

    def note(self, state: RunState) -> None:
        self._states[state.run_id] = state

    def render(self) -> "RenderableType":
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        states = list(self._states.values())
        table = Table(box=None, header_style="bold", pad_edge=False)
        for column in ("run", "step", "baseline", "best", "spend", "time"):
            table.add_column(column, justify="left" if column == "run" else "right")
        for state in [s for s in states if s.status == "running"]:
            usd = "" if not state.usage.calls else f"${state.usage.usd:.3f}" if state.usage.usd is not None else "?"
            cells = (
                state.run_id,
                str(state.step),
                number(state.baseline),
                number(state.best),
                usd,
                f"{state.seconds:.0f} s",
            )
            table.add_row(*(Text(cell) for cell in cells))
        done = sum(s.step for s in states)
        return Group(Text(self._summary(states, done)), ProgressBar(total=self._steps or 1, completed=done), table)

    def _summary(self, states: list[RunState], done: int) -> str:
        if self._steps_before is None:
            self._steps_before = done
        finished = sum(s.status == "finished" for s in states)
        failed = sum(s.status == "failed" for s in states)
        usd = sum(s.usage.usd or 0.0 for s in states)
        elapsed = time.monotonic() - self._began
        made = done - self._steps_before
        left = f", about {(self._steps - done) * elapsed / made:.0f} s left" if made and done < self._steps else ""
        parts = [f"{finished}/{self._runs} runs", f"{done}/{self._steps} steps"]
        parts += [f"{failed} failed"] if failed else []
        parts += [f"${usd:.2f}"] if usd else []
        return ", ".join(parts) + f", {elapsed:.0f} s{left}"
