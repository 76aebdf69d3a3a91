"""What a judge is shown: the texts, logs, raw results and code of one research folder, stage by stage."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.judging.concealed import reveal
from assay.judging.rubrics import STAGES, Stage

TEXTS = frozenset(
    {".md", ".txt", ".json", ".jsonl", ".csv", ".log", ".yaml", ".yml", ".toml", ".py", ".sh", ".tex", ".bib"}
)
NOT_ENTERED = frozenset({".assay", ".git", "venv", ".venv", "__pycache__", "node_modules", "reviews"})
FILE_CHARACTERS = 30_000
TOTAL_CHARACTERS = 300_000
"""More than this does not fit any judge's window; what is left out is said."""

_FIRST: dict[Stage, tuple[str, ...]] = {
    "idea": ("idea.md",),
    "proposal": ("proposal.md",),
    "experiment": ("results.md",),
    "writeup": ("paper.md", "paper.tex", "paper.txt"),
    "whole": ("paper.md", "paper.tex", "paper.txt"),
}
"""The file that must be there for a stage to be reviewed."""
_CONTEXT: dict[Stage, tuple[str, ...]] = {
    "idea": ("task.md",),
    "proposal": ("task.md", "idea.md", "related_work.md"),
    "experiment": ("task.md", "idea.md", "related_work.md", "proposal.md"),
    "writeup": ("task.md", "idea.md", "related_work.md", "proposal.md", "results.md"),
    "whole": ("task.md",),
}


@dataclass(frozen=True)
class Material:
    """The files shown for one stage, the reviewed one first."""

    stage: Stage
    files: tuple[tuple[str, str], ...]
    concealed: tuple[str, ...]
    left_out: int
    """Files that were too much."""


def stages_in(folder: Path) -> list[Stage]:
    """The stages of which there is something to review."""
    return [stage for stage in STAGES if _named(folder, _FIRST[stage])]


def research_in(folder: Path) -> list[Path]:
    """The pieces of research in a folder: those in folders of their own if it is a collection of such, else itself."""
    if stages_in(folder) or not folder.is_dir():
        return [folder]
    return [p for p in sorted(folder.iterdir()) if p.is_dir() and stages_in(p)] or [folder]


def material(folder: Path, stage: Stage) -> Material:
    """What a judge sees of a stage: experiments and whole papers with code, logs and raw results."""
    chosen = list(_named(folder, _FIRST[stage])) + list(_named(folder, _CONTEXT[stage]))
    if stage in ("experiment", "whole", "writeup"):
        chosen += _evidence(folder)
    shown: list[tuple[str, str]] = []
    hidden: list[str] = []
    room, left_out = TOTAL_CHARACTERS, 0
    for file in dict.fromkeys(chosen):
        text, found = reveal(file.read_text(encoding="utf-8", errors="replace"))
        if len(text) > FILE_CHARACTERS:
            half = FILE_CHARACTERS // 2
            text = f"{text[:half]}\n… {len(text) - FILE_CHARACTERS} characters left out …\n{text[-half:]}"
        if len(text) > room:
            left_out += 1
            continue
        room -= len(text)
        name = file.relative_to(folder).as_posix()
        shown.append((name, text))
        hidden += [f"{name}: {passage}" for passage in found]
    return Material(stage, tuple(shown), tuple(hidden), left_out)


def _named(folder: Path, names: tuple[str, ...]) -> list[Path]:
    """The first of these names, in the folder itself or in its results."""
    found = []
    for name in names:
        place = next((p for p in (folder / name, folder / "results" / name) if p.is_file()), None)
        if place is not None:
            found.append(place)
    return found


def _evidence(folder: Path) -> list[Path]:
    """Everything that is text, results and logs before code, small before large."""
    found = [p for p in _walk(folder) if p.suffix.lower() in TEXTS]
    return sorted(found, key=lambda p: (p.suffix == ".py", p.stat().st_size, p.as_posix()))


def _walk(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_symlink():
            continue  # what lies outside the folder is not part of the research
        if path.is_dir():
            if path.name not in NOT_ENTERED:
                yield from _walk(path)
        elif path.is_file():
            yield path
