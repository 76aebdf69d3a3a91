"""`assay compare`: is A really better than B?"""

from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from assay.cli.output import json_option, number, print_json, print_table
from assay.cli.score import say_what_is_left_out
from assay.errors import UsageError, unknown

if TYPE_CHECKING:
    from assay.scoring.comparison import Comparison
    from assay.scoring.scores import Scores
    from assay.scoring.statistics import Estimate
    from assay.scoring.summary import RunSummary

VIEWS = {
    "final": "improvement on test, at the end",
    "steps": "improvement on validation, at equal steps",
    "tokens": "improvement on validation, at equal tokens",
    "usd": "improvement on validation, at equal dollars",
    "hours": "improvement on validation, at equal hours",
}


@click.command()
@click.argument("agents", nargs=-1)
@click.option("--results", type=click.Path(path_type=Path), default=Path("results"), show_default=True)
@click.option("--test", type=click.Choice(["permutation", "wilcoxon"]), default="permutation", show_default=True)
@json_option
def command(agents: tuple[str, ...], results: Path, test: Literal["permutation", "wilcoxon"], as_json: bool) -> None:
    """Compare AGENTS, paired over tasks and seeds; without any, all of the results.

    An agent is NAME, NAME@MODEL, or either with a results folder before it: old-results:aide@openai:gpt-5.4
    """
    from assay.scoring.comparison import compare_all

    arms = _arms(agents, results)
    found = compare_all(arms, test)
    if as_json:
        print_json([asdict(each) for each in found])
        return
    for view, title in VIEWS.items():
        rows = [_row(each) for each in found if each.view == view]
        if rows:
            print_table(title, HEADS, rows)
            click.echo()
    click.echo(f"p: {test} test over pairs, corrected by Holm within each table; intervals are 95 %")


HEADS = [
    "A",
    "B",
    "tasks",
    "pairs",
    "at",
    "mean A",
    "mean B",
    "A − B",
    "effect d",
    "A ahead",
    "p",
    "Holm",
    "seeds needed",
]


def _row(each: "Comparison") -> list[str]:
    return [
        each.a,
        each.b,
        str(each.tasks),
        str(each.pairs),
        each.budget or "end",
        number(each.mean_a),
        number(each.mean_b),
        _with_interval(each.difference),
        _with_interval(each.effect),
        f"{each.wins:.0%}",
        f"{each.p:.2g}",
        f"{each.p_holm:.2g}",
        "–" if each.seeds_needed is None else str(each.seeds_needed),
    ]


def _with_interval(estimate: "Estimate") -> str:
    if estimate.low is None or estimate.high is None:
        return number(estimate.value)
    return f"{number(estimate.value)} [{estimate.low:.3g}, {estimate.high:.3g}]"


def _arms(names: tuple[str, ...], results: Path) -> "dict[str, list[RunSummary]]":
    """The runs of each agent that was named. What is left out is said once for each folder."""
    from assay.scoring.scores import load_scores

    @cache
    def read(folder: Path) -> "Scores":
        scores = load_scores(folder)
        say_what_is_left_out(scores)
        return scores

    if names:
        arms = {name: _named(name, results, read) for name in names}
    else:
        scores = read(results)
        arms = {label: [run for run in scores.runs if scores.label(run) == label] for label in scores.labels}
    if len(arms) < 2:
        raise UsageError(f"nothing to compare: {', '.join(arms) or 'no runs'}", "name two agents, or run a second one")
    return arms


def _named(name: str, results: Path, read: "Callable[[Path], Scores]") -> "list[RunSummary]":
    before, _, after = name.partition(":")
    folder, rest = (Path(before), after) if Path(before).is_dir() else (results, name)
    agent, _, model = rest.partition("@")
    runs = read(folder).runs
    found = [run for run in runs if (not agent or run.agent == agent) and (not model or run.model == model)]
    if not found:
        raise unknown("agent", rest, sorted({run.agent for run in runs}), "assay score")
    if len({(run.agent, run.model) for run in found}) > 1:
        known = ", ".join(sorted({f"{run.agent}@{run.model}" for run in found}))
        raise UsageError(f"'{name}' stands for several agents or models", f"name one of {known}")
    return found
