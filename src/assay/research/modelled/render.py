"""From what lies on the desk to prompts. Texts from outside are shown between fences that they cannot close."""

from pathlib import Path
from typing import Any

from assay.models.base import Message, Prompt
from assay.models.templates import render_from
from assay.research.stages import STAGES, WRITES, Desk, Stage

_PROMPTS = Path(__file__).parent.parent / "prompts"
TEXT_CHARS = 30_000
"""The longest text that is shown of one stage."""
RAW_CHARS = 24_000
"""What is shown of all raw results together."""
RAW_FILE_CHARS = 6_000
SHOWN = (".csv", ".json", ".jsonl", ".txt", ".md", ".tsv", ".yaml")


def stage_prompt(name: str, desk: Desk, stage: Stage, **more: Any) -> Prompt:
    """The prompt of a stage: the brief, the texts of the stages before it, and what the template asks for."""
    earlier = [
        {"name": WRITES[each], "text": head(desk.text(each), TEXT_CHARS)} for each in STAGES[: STAGES.index(stage)]
    ]
    context = {
        "task": head(desk.task, TEXT_CHARS),
        "earlier": earlier,
        "data": desk.bench.data,
        "limits": desk.bench.limits,
        **more,
    }
    return Prompt(
        messages=(
            Message(role="system", content=render("system")),
            Message(role="user", content=render(name, **context)),
        )
    )


def render(name: str, **context: Any) -> str:
    return render_from(_PROMPTS, name, **context)


def raw_results(desk: Desk) -> list[dict[str, Any]]:
    """What experiments wrote, by path: small texts as they are, of others the name and size."""
    shown: list[dict[str, Any]] = []
    left = RAW_CHARS
    root = desk.paths.root
    written = (WRITES["experiments"], WRITES["paper"], "results/log.txt")
    for file in sorted(file for file in desk.paths.results.rglob("*") if file.is_file()):
        path = file.relative_to(root).as_posix()
        if path in written:
            continue
        text = head(file.read_text(encoding="utf-8", errors="replace"), RAW_FILE_CHARS) if file.suffix in SHOWN else ""
        text = text if len(text) <= left else ""
        left -= len(text)
        shown.append({"path": path, "bytes": file.stat().st_size, "text": text})
    return shown


def head(text: str, limit: int) -> str:
    text = text.strip()
    return text if len(text) <= limit else text[:limit] + "\n... (cut)"
