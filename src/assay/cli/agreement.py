"""`assay agreement`: how far judges agree with people."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.output import json_option, number, print_json, print_table

if TYPE_CHECKING:
    from assay.judging.agreement import Interval


@click.command()
@click.argument("scores", type=click.Path(path_type=Path))
@click.option(
    "--margin", type=click.FloatRange(min=0, min_open=True), default=1.0, show_default=True, help="In points."
)
@json_option
def command(scores: Path, margin: float, as_json: bool) -> None:
    """Compare ratings of people and of a judge in SCORES, a CSV with reviewer_id, item, X_human and X_llm."""
    from assay.judging.agreement import agreement, read_scores

    found = [agreement(name, rows, margin) for name, rows in read_scores(scores).items()]
    if as_json:
        print_json([{**asdict(each), "equivalent": each.equivalent} for each in found])
        return
    print_table(
        "Absolute differences: between people, and between people and judge",
        ["dimension", "pairs", "people", "judge", "U", "p", f"equivalent within {margin:g}"],
        [
            [
                each.dimension,
                f"{each.human_pairs} / {each.judge_pairs}",
                _shown(each.difference_humans),
                _shown(each.difference_judge),
                number(each.u),
                number(each.p),
                "unknown"
                if each.equivalent is None
                else f"{'yes' if each.equivalent else 'no'} (p {number(each.equivalence_p)})",
            ]
            for each in found
        ],
    )
    click.echo(
        "p above 0.05 shows no agreement, only that no difference was found; the last column tests for agreement\n"
    )
    print_table(
        "Ranks and bias",
        [
            "dimension",
            "mean of people",
            "mean of judge",
            "judge − people",
            "Spearman, people",
            "Spearman, people and judge",
        ],
        [
            [
                each.dimension,
                number(each.mean_human),
                number(each.mean_judge),
                _shown(each.bias),
                _shown(each.rank_humans),
                _shown(each.rank_judge),
            ]
            for each in found
        ],
    )


def _shown(interval: "Interval") -> str:
    bounds = "" if interval.low is None else f" ({interval.low:.2f} … {number(interval.high)})"
    return number(interval.value) + bounds
