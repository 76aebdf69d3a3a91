"""The entry point: a group whose commands are imported when they are called.

Exit codes: 0 done, 1 the work failed, 2 the call was wrong, 130 interrupted.
"""

import sys
from importlib import import_module

import click

from assay import __version__
from assay.errors import AssayError

COMMANDS = {
    "demo": ("demo", "An offline sweep in about a minute, then a report."),
    "list": ("listing", "List suites, tasks, agents or embedders."),
    "run": ("run", "Run agents on tasks; the same command continues what is unfinished."),
    "evaluate": ("evaluate", "Evaluate one candidate by hand, in the same sandbox."),
    "task": ("task", "Check a task, or start a new one."),
    "score": ("score", "Tables from journals: performance, improvement, process."),
    "compare": ("compare", "Is A really better than B?"),
    "noise": ("noise", "How much a task's baseline varies over seeds."),
    "report": ("report", "One self-contained page of everything."),
    "view": ("view", "The same page, live."),
    "show": ("show", "A run's search tree, or one step, in the terminal."),
    "simulate": ("simulate", "Strategies on synthetic landscapes: no model, no processes."),
    "export": ("export", "Write results for other tools."),
    "import": ("import_", "Read results of other tools."),
    "research": ("research", "Staged research: from an idea to a paper."),
    "judge": ("judge", "Have research reviewed by judges."),
    "agreement": ("agreement", "How far judges agree with people."),
    "audit": ("audit", "Which reported numbers are backed by evidence?"),
    "setup": ("setup", "Fetch code, data and environment of a full-size task."),
    "doctor": ("doctor", "What this machine offers: isolation, engines, models, embedders."),
}
"""Command → its module below assay.cli, which defines `command`, and its help, so that --help imports none of them."""


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one only to run it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"assay.cli.{COMMANDS[name][0]}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from assay.errors import unknown

            raise unknown("command", args[0], COMMANDS, "assay --help")
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="assay", message="%(prog)s %(version)s")
def assay() -> None:
    """Assay measures machine-learning research agents: what they improve, how they search, what it costs, and whether
    it is true."""


def main() -> None:
    """Run the command line. A user's mistake is a sentence and never a traceback."""
    try:
        sys.exit(assay.main(standalone_mode=False) or 0)
    except AssayError as error:
        _complain(error.message, error.hint)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        _complain(error.format_message(), f"see: {context.command_path} --help" if context else "see: assay --help")
        sys.exit(2)
    except (KeyboardInterrupt, click.Abort):
        _complain("interrupted", "")
        sys.exit(130)
    except BrokenPipeError:
        # the reader of a pipe has seen enough, as in `assay list tasks | head`
        sys.stderr.close()
        sys.exit(0)


def _complain(message: str, hint: str) -> None:
    click.echo(f"assay: {message}", err=True)
    for line in hint.splitlines():
        click.echo(f"  {line}", err=True)
