"""`assay show`: a run's search tree, or one step, in the terminal."""

from pathlib import Path

import click

from assay.cli.output import console, json_option, print_json


@click.command()
@click.argument("run")
@click.option("--results", type=click.Path(path_type=Path), default=Path("results"), show_default=True)
@click.option("--step", type=click.IntRange(min=0), help="Open one step: how it ended, and its diff.")
@json_option
def command(run: str, results: Path, step: int | None, as_json: bool) -> None:
    """Draw the search of RUN, a run's id, a part of one that no other has, or its folder.

    Every node is a step: what was asked, its metric and gain, or how it failed. ★ marks the best.
    """
    from assay.report.detail import StepReader
    from assay.report.terminal import step_lines, tree_lines

    reader = StepReader(*locate(run, results))
    if as_json:
        print_json(reader.detail(step) if step is not None else {"run": reader.run.run_id, "steps": reader.rows()})
        return
    screen = console()
    if step is None:
        for line in tree_lines(reader):
            screen.print(line, no_wrap=True, overflow="ellipsis", highlight=False)
    else:
        for line in step_lines(reader, step):
            screen.print(line, soft_wrap=True, highlight=False)


def locate(run: str, results: Path) -> tuple[Path, str]:
    """The results folder and the id of a run. Raises UsageError if the name fits none, or several."""
    from assay.errors import UsageError, unknown
    from assay.runs.record import run_folders

    folder = Path(run)
    if (folder / "run.json").is_file():
        folder = folder.resolve()
        return folder.parent.parent, folder.name
    names = [each.name for each in run_folders(results)]
    fitting = [run] if run in names else [name for name in names if run in name]
    if len(fitting) > 1:
        more = f"\nand {len(fitting) - 10} more" if len(fitting) > 10 else ""
        raise UsageError(f"'{run}' is a part of {len(fitting)} runs", "\n".join(fitting[:10]) + more)
    if not fitting:
        raise unknown("run", run, names, f"ls {results / 'runs'}")
    return results, fitting[0]
