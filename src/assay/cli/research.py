"""`assay research`: staged research, from an idea to a paper."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.output import json_option, number, print_json, print_table

if TYPE_CHECKING:
    from assay.research.stages import Stage
    from assay.research.state import ResearchState

STAGE_NAMES = ("idea", "literature", "proposal", "experiments", "paper")
"""As in assay.research.stages, which is not imported for --help."""


@click.group()
def command() -> None:
    """Staged research: idea, literature, proposal, experiments, paper."""


@command.command("list")
@click.argument("suite", required=False)
@json_option
def list_(suite: str | None, as_json: bool) -> None:
    """List the suites of briefs, or the briefs of one SUITE."""
    from assay.errors import unknown
    from assay.research.briefs import LISTING, brief_suites

    known = brief_suites()
    if suite is None:
        rows = [{"suite": s.name, "briefs": str(len(s.briefs)), "title": s.title} for s in known.values()]
    elif suite in known:
        rows = [
            {
                "brief": b.id,
                "venue": f"{b.conference} {b.year or ''}".strip() or "own",
                "topic": b.topic,
                "title": b.title,
            }
            for b in known[suite].briefs
        ]
    else:
        raise unknown("suite", suite, known, LISTING)
    if as_json:
        print_json(rows)
        return
    print_table("", list(rows[0]), [list(row.values()) for row in rows])


@command.command()
@click.argument("brief")
def show(brief: str) -> None:
    """Show a BRIEF: its facts, and its text or how to get that."""
    from assay.errors import UsageError
    from assay.research.briefs import brief_text, find_brief

    found = find_brief(brief)
    facts = [found.title, f"topic: {found.topic} ({found.topic_source})"]
    facts += [f"venue: {found.conference} {found.year}"] if found.conference else []
    facts += [f"mostly the same text as: {', '.join(found.repeats)}"] if found.repeats else []
    facts += [f"note: {found.note}"] if found.note else []
    facts += [f"data: {', '.join(found.data)}"] if found.data else []
    click.echo("\n".join(facts) + "\n")
    try:
        click.echo(brief_text(found))
    except UsageError as error:
        click.echo(f"{error.message}\n{error.hint}")


@command.command()
@click.argument("brief")
@click.option(
    "--model",
    "models",
    multiple=True,
    help="provider:model for all stages, STAGE=provider:model for one; several times. Without it: offline.",
)
@click.option(
    "--stage", "stages", multiple=True, type=click.Choice(STAGE_NAMES), help="Only this stage; several times."
)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("research"), show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--literature", help="A bibliography (.bib or .json), or 'openalex'. Default: the brief's own.")
@click.option(
    "--rounds", type=click.IntRange(min=1), default=6, show_default=True, help="Times a model may run experiments."
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=1),
    default=600.0,
    show_default=True,
    help="Wall clock of one command of an experiment.",
)
@click.option(
    "--experimenter",
    default="rounds",
    show_default=True,
    help="Who does the experiments: the model in rounds, an interactive agent (tools, react, …), or 'command'.",
)
@click.option("--command", "program", default="", help="The program that the experimenter 'command' is.")
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), default=60.0, help="That program's time.")
@click.option("--allow-network", is_flag=True, help="That program may reach the network; its experiments never may.")
@click.option("--allow-read", multiple=True, help="A file or folder that program may read; several times.")
@click.option("--pass-env", multiple=True, help="A variable of the environment that program is given; several times.")
@click.option("--max-tokens", type=click.IntRange(min=0), help="Tokens of all stages together.")
@click.option("--max-usd", type=click.FloatRange(min=0), help="Dollars of all stages together.")
@json_option
def run(
    brief: str,
    models: tuple[str, ...],
    stages: tuple["Stage", ...],
    out: Path,
    seed: int,
    literature: str | None,
    rounds: int,
    seconds: float,
    experimenter: str,
    program: str,
    minutes: float,
    allow_network: bool,
    allow_read: tuple[str, ...],
    pass_env: tuple[str, ...],
    max_tokens: int | None,
    max_usd: float | None,
    as_json: bool,
) -> None:
    """Do research on BRIEF, in OUT/<brief>. The same command goes on where the last one stopped."""
    from assay.models.names import check_model
    from assay.research.bench import LIMITS
    from assay.research.briefs import find_brief
    from assay.research.program import Experimenter
    from assay.research.run import Plan, check_experimenter, models_by_stage, run_research
    from assay.research.stages import STAGES
    from assay.runs.spec import Caps

    found = find_brief(brief)
    wanted = tuple(stage for stage in STAGES if stage in stages) or STAGES
    plan = Plan(
        brief=found,
        models=models_by_stage(models, wanted),
        seed=seed,
        literature=literature,
        rounds=rounds,
        caps=Caps(tokens=max_tokens, usd=max_usd),
        limits=LIMITS.model_copy(update={"seconds": seconds}),
        experimenter=Experimenter(
            name=experimenter,
            command=program,
            minutes=minutes,
            allow_network=allow_network,
            allow_read=allow_read,
            pass_env=pass_env,
        ),
    )
    check_experimenter(plan)
    for name in plan.models.values():
        check_model(name)
    folder = out / found.name

    def watch(stage: "Stage", what: str) -> None:
        if not as_json:
            click.echo(f"{stage}: {what}", err=True)

    state = run_research(plan, folder, wanted, watch)
    _show(folder, state, as_json)


@command.command("exec", context_settings={"ignore_unknown_options": True})
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("arguments", nargs=-1, required=True, type=click.UNPROCESSED)
def exec_(folder: Path, arguments: tuple[str, ...]) -> None:
    """Run `python ARGUMENTS` as an experiment of FOLDER: in the sandbox, recorded, its results kept.

    For people and coding agents who do the experiments themselves. Ends with the exit code of the command.
    """
    from assay.research.run import run_command

    record = run_command(folder, arguments)
    click.echo(record.output)
    for file in record.written:
        click.echo(f"wrote {file.path} ({file.bytes} bytes)", err=True)
    raise SystemExit(1 if record.exit_code is None else record.exit_code)


@command.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@json_option
def status(folder: Path, as_json: bool) -> None:
    """How far the research in FOLDER is, and what each stage cost."""
    from assay.research.state import read_state

    _show(folder, read_state(folder), as_json)


def _show(folder: Path, state: "ResearchState", as_json: bool) -> None:
    from assay.models.usage import Usage
    from assay.research.calls import spent_by_stage
    from assay.research.paths import ResearchPaths
    from assay.research.stages import WRITES

    spent = spent_by_stage(ResearchPaths(folder).calls)
    if as_json:
        usage = {stage: used.model_dump() for stage, used in spent.items()}
        print_json({"folder": str(folder), **state.model_dump(mode="json"), "usage": usage})
        return
    rows = []
    for stage, record in state.stages.items():
        used = spent.get(stage, Usage())
        cost = "unknown" if used.usd is None else f"{used.usd:.4f}"
        rows.append(
            [
                stage,
                record.status,
                record.model,
                str(used.calls),
                str(used.tokens),
                cost,
                number(record.seconds),
                WRITES[stage],
            ]
        )
    columns = ["stage", "status", "model", "calls", "tokens", "dollars", "seconds", "left"]
    print_table(f"{state.brief} in {folder}", columns, rows)
    for stage, record in state.stages.items():
        for note in record.notes:
            click.echo(f"{stage}: {note}")
