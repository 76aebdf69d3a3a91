"""`assay judge`: have research reviewed, or read the reviews that are there."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.output import json_option, number, print_json, print_table

if TYPE_CHECKING:
    from assay.judging.calibration import Calibration
    from assay.judging.reviews import Aggregate, Review


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--judge", "judges", multiple=True, help="A model, as provider:model. May be given several times.")
@click.option(
    "--stage", type=click.Choice(["idea", "proposal", "experiment", "writeup", "whole"]), help="One stage alone."
)
@json_option
def command(folder: Path, judges: tuple[str, ...], stage: str | None, as_json: bool) -> None:
    """Have the research in FOLDER reviewed by judges; without any, read the reviews that are there.

    FOLDER holds one piece of research (idea.md, proposal.md, results/, paper.md, code) or several in folders of their
    own. Reviews are kept below FOLDER/reviews; what a judge has reviewed is not paid for again.
    """
    from assay.errors import UsageError
    from assay.judging.calibration import calibrate
    from assay.judging.panel import hold
    from assay.judging.reviews import aggregate, read_reviews
    from assay.models.client import check_model

    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder", "name a folder with idea.md, proposal.md, results/ or paper.md")
    for name in judges:
        check_model(name)
    usage = hold(folder, judges, stage) if judges else None
    reviews = read_reviews(folder)
    if not reviews:
        raise UsageError(f"{folder} holds no reviews", "have it reviewed: --judge provider:model")
    rows, calibration = aggregate(reviews), calibrate(reviews)
    if as_json:
        print_json(
            {
                "reviews": [review.model_dump(mode="json") for review in reviews],
                "aggregates": [asdict(row) for row in rows],
                "calibration": asdict(calibration),
                "usage": usage.model_dump() if usage else None,
            }
        )
        return
    _print_scores(rows)
    _print_calibration(calibration)
    _print_warnings(reviews)
    if usage:
        click.echo(
            f"{usage.calls} calls, {usage.tokens} tokens, "
            + ("price unknown" if usage.usd is None else f"${usage.usd:.4f}")
        )


def _print_scores(rows: "list[Aggregate]") -> None:
    cells: dict[tuple[str, str, str], dict[str, str]] = {}
    for row in rows:
        key = (row.stage, row.producer, row.judge or "all judges")
        cells.setdefault(key, {"items": str(row.items)})[row.dimension] = f"{row.mean:.2f} ({row.sd:.2f})"
    columns = list(dict.fromkeys(name for cell in cells.values() for name in cell))
    body = [[*key, *(cell.get(name, "") for name in columns)] for key, cell in cells.items()]
    print_table("Scores: mean (standard deviation)", ["stage", "by", "judge", *columns], body)


def _print_calibration(calibration: "Calibration") -> None:
    print_table(
        "Can these judges be trusted?",
        ["judge", "items", "overall mean", "sd", "most common score", ""],
        [
            [
                s.judge,
                str(s.items),
                number(s.mean),
                number(s.sd),
                f"{s.most_common} for {s.share:.0%}",
                "hardly tells items apart" if s.flagged else "",
            ]
            for s in calibration.spreads
        ],
    )
    for pair in calibration.pairs:
        click.echo(
            f"{pair.judges[0]} and {pair.judges[1]}, {pair.items} items: weighted kappa {number(pair.weighted_kappa)}, "
            f"Spearman {number(pair.spearman)}, mean difference {pair.mean_difference:+.2f}, equal {pair.equal:.0%}, "
            f"within one point {pair.within_one:.0%}"
        )
    if calibration.pairs:
        click.echo(f"Krippendorff's alpha over all judges: {number(calibration.alpha)}")


def _print_warnings(reviews: "list[Review]") -> None:
    for review in reviews:
        if review.status != "ok":
            click.echo(f"{review.judge} on {review.item} ({review.stage}): {review.status}: {review.problem}", err=True)
        for passage in review.concealed:
            click.echo(f"{review.item}: hidden text: {passage}", err=True)
