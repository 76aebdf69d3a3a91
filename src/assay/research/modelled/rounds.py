"""Experiments by a model: it writes code and commands, is shown what they printed, and goes on."""

from collections.abc import Sequence
from dataclasses import dataclass

from assay.models.base import Client, Message, Prompt
from assay.research.bench import Bench
from assay.research.evidence import ProcessRecord
from assay.research.modelled.render import head, render
from assay.research.modelled.turn import read_turn

OUTPUT_CHARS = 6_000
"""What is shown of one command's output: its end."""


@dataclass(frozen=True)
class Conducted:
    """How the experiments went."""

    conversation: Prompt
    """Ends with the harness's last message."""
    processes: tuple[ProcessRecord, ...]
    notes: tuple[str, ...]

    @property
    def measured(self) -> bool:
        """Whether a command ended well and left a file: without that there is no result."""
        return any(process.exit_code == 0 and process.written for process in self.processes)


def conduct(client: Client, bench: Bench, prompt: Prompt, rounds: int) -> Conducted:
    """Up to `rounds` turns. Nothing in a message depends on the clock, so a resumed stage asks the same questions."""
    processes: list[ProcessRecord] = []
    notes: list[str] = []
    bench.clear_code()
    for left in reversed(range(rounds)):
        completion = client.complete(prompt)
        if not completion.usable:
            notes.append(f"the model stopped experimenting: {completion.stop}")
            break
        turn = read_turn(completion.text)
        bench.write_code(turn.files)
        ran = [] if not turn.runs else [bench.run(arguments) for arguments in turn.runs]
        processes += ran
        said = Message(role="assistant", content=completion.text)
        message = render("round", ran=_shown(ran), problems=turn.problems, left=left, done=turn.done)
        prompt = prompt.then(said, Message(role="user", content=message))
        if turn.done:
            break
    else:
        notes.append(f"the model did not say that it was done within {rounds} rounds")
    return Conducted(prompt, tuple(processes), tuple(notes))


def _shown(processes: Sequence[ProcessRecord]) -> list[dict[str, object]]:
    return [
        {
            "command": " ".join(process.command),
            "ending": "killed at a limit" if process.exit_code is None else f"exit code {process.exit_code}",
            "output": _tail(process.output) or "(nothing was printed)",
            "written": [f"{file.path} ({file.bytes} bytes)" for file in process.written],
        }
        for process in processes
    ]


def _tail(text: str) -> str:
    return text if len(text) <= OUTPUT_CHARS else "(cut) ...\n" + text[-OUTPUT_CHARS:]


def manifest(processes: Sequence[ProcessRecord]) -> str:
    """Which command wrote which file, for the writer."""
    lines = [
        f"- `{' '.join(process.command)}`, "
        + ("killed at a limit" if process.exit_code is None else f"exit code {process.exit_code}")
        + (f", wrote {', '.join(file.path for file in process.written)}" if process.written else ", wrote nothing")
        for process in processes
    ]
    return head("\n".join(lines), 4_000) or "- no command was run"
