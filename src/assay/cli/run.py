"""`assay run`: agents on tasks."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.output import json_option, print_json

if TYPE_CHECKING:
    from assay.engines.base import RunState, Sweep
    from assay.models.base import ModelSettings

NAMES = "Several are separated by commas."


@click.command()
@click.option("--agent", required=True, help=f"Agents to run, or 'all'. {NAMES}")
@click.option("--task", required=True, help=f"Suites, tasks or folders of tasks. {NAMES}")
@click.option("--model", default="offline", show_default=True, help=f"provider:model, or 'offline' for none. {NAMES}")
@click.option("--seeds", type=click.IntRange(min=1), default=1, show_default=True, help="Seeds 0 … N-1 of every run.")
@click.option("--steps", type=click.IntRange(min=0), default=20, show_default=True, help="Validations of one run.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("results"), show_default=True)
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Runs at the same time.")
@click.option("--preset", help="Parameters as published: fmlbench, or as in the original project: upstream.")
@click.option("--max-tokens", type=click.IntRange(min=0), help="Tokens of one run.")
@click.option("--max-usd", type=click.FloatRange(min=0), help="Dollars of one run.")
@click.option("--max-hours", type=click.FloatRange(min=0), help="Hours of one run.")
@click.option("--total-steps", type=click.IntRange(min=0), help="Validations of the whole sweep.")
@click.option("--total-tokens", type=click.IntRange(min=0), help="Tokens of the whole sweep.")
@click.option("--total-usd", type=click.FloatRange(min=0), help="Dollars of the whole sweep.")
@click.option("--total-hours", type=click.FloatRange(min=0), help="Hours of all runs of the sweep together.")
@click.option("--reasoning", help="How hard the model may think: none, minimal, low, medium, high or xhigh.")
@click.option("--temperature", type=click.FloatRange(min=0))
@click.option(
    "--max-output-tokens",
    type=click.IntRange(min=1),
    default=16_384,
    show_default=True,
    help="Tokens of one answer, thought included.",
)
@click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), default=300.0, help="Seconds of one model call."
)
@click.option("--command", "program", help="The program that the agent 'command' is, as a line for a shell.")
@click.option("--allow-network", is_flag=True, help="That program may reach the network; what it writes never may.")
@click.option("--allow-read", multiple=True, help="A file or folder that program may read; several times.")
@click.option("--pass-env", multiple=True, help="A variable of the environment that program is given; several times.")
@click.option("--estimate", is_flag=True, help="Say what the sweep would cost at most, and stop.")
@click.option(
    "--replay", type=click.Path(path_type=Path, exists=True, file_okay=False), help="Answer from recorded calls."
)
@json_option
@click.argument("parameters", nargs=-1)
def command(
    agent: str,
    task: str,
    model: str,
    seeds: int,
    steps: int,
    out: Path,
    jobs: int,
    preset: str | None,
    max_tokens: int | None,
    max_usd: float | None,
    max_hours: float | None,
    total_steps: int | None,
    total_tokens: int | None,
    total_usd: float | None,
    total_hours: float | None,
    reasoning: str | None,
    temperature: float | None,
    max_output_tokens: int,
    timeout: float,
    program: str | None,
    allow_network: bool,
    allow_read: tuple[str, ...],
    pass_env: tuple[str, ...],
    estimate: bool,
    replay: Path | None,
    as_json: bool,
    parameters: tuple[str, ...],
) -> None:
    """Run agents on tasks. PARAMETERS set an agent's own, as in aide.num_drafts=5.

    The same command continues runs that are unfinished and passes over those that are done.
    """
    from assay.cli.sweep import carry_out, names, plan
    from assay.runs.spec import Caps

    sweep = plan(
        agents=agent,
        tasks=task,
        models=names(model),
        seeds=seeds,
        caps=Caps(steps=steps, tokens=max_tokens, usd=max_usd, hours=max_hours),
        total=Caps(steps=total_steps, tokens=total_tokens, usd=total_usd, hours=total_hours),
        settings=_settings(reasoning, temperature, max_output_tokens, timeout),
        preset=preset,
        parameters=(*parameters, *_of_program(agent, program, allow_network, allow_read, pass_env)),
        out=out,
        replay=replay,
    )
    if estimate:
        from assay.cli.estimate import print_estimate

        print_estimate(sweep, as_json)
        return
    states = carry_out(sweep, jobs, as_json)
    if as_json:
        print_json([state.model_dump(mode="json") for state in states])
    _exit(states, sweep)


def _of_program(
    agents: str, program: str | None, network: bool, readable: tuple[str, ...], variables: tuple[str, ...]
) -> list[str]:
    """The options of an agent that is a program, as parameters of the agents that are."""
    from assay.cli.sweep import names
    from assay.errors import UsageError

    given = {
        "command": program,
        "allow_network": "true" if network else None,
        "allow_read": json.dumps(readable) if readable else None,
        "pass_env": json.dumps(variables) if variables else None,
    }
    set_ = {key: value for key, value in given.items() if value is not None}
    found = [name for name in names(agents) if name.partition("/")[0] == "command"]
    if set_ and not found:
        option = f"--{next(iter(set_)).replace('_', '-')}"
        raise UsageError(f"{option} is for the agent 'command'", "name it: --agent command, or --agent command/LABEL")
    return [f"{name}.{key}={value}" for name in found for key, value in set_.items()]


def _settings(reasoning: str | None, temperature: float | None, limit: int, timeout: float) -> "ModelSettings":
    from pydantic import ValidationError

    from assay.errors import UsageError
    from assay.models.base import ModelSettings

    values = {
        "reasoning": reasoning,
        "temperature": temperature,
        "max_output_tokens": limit,
        "timeout_seconds": timeout,
    }
    try:
        return ModelSettings.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError(
            f"--{str(first['loc'][0]).replace('_', '-')}: {first['msg']}", "see: assay run --help"
        ) from None


def _exit(states: "list[RunState]", sweep: "Sweep") -> None:
    unfinished = [s for s in states if s.status in ("interrupted", "waiting")]
    failed = [s for s in states if s.status == "failed"]
    for state in failed:
        click.echo(f"assay: run '{state.run_id}' failed: {state.reason}", err=True)
        for line in state.hint.splitlines():
            click.echo(f"  {line}", err=True)
    if unfinished:
        click.echo(f"assay: {len(unfinished)} of {len(states)} runs are unfinished", err=True)
        click.echo("  the same command continues them", err=True)
        raise SystemExit(130)
    click.echo(f"{len(states) - len(failed)} runs are done; what they are worth: assay score {sweep.results}", err=True)
    raise SystemExit(1 if failed else 0)
