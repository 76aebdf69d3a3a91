"""Finding the lines that a search/replace block means: exactly, or as near as no doubt allows."""

from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher

SIMILAR = 0.85
"""Share of equal text from which a place counts as found although it is not the same."""
CLEAR = 0.1
"""How much better than any other place the best one must be."""
NEAREST_CHARACTERS = 1200
COMPARED = 8
"""How many places are compared closely: those with most lines in common."""


@dataclass(frozen=True)
class Place:
    """Lines `start` to `end` (not included), and the white space by which the found lines are indented further."""

    start: int
    end: int
    indent: str = ""
    dedent: str = ""


@dataclass(frozen=True)
class Missing:
    """Why there is no one place: how many there are, and the nearest text if there is none."""

    found: int
    nearest: str = ""


def locate(text: str, search: str) -> Place | Missing:
    """The one place in `text` where the lines of `search` stand.

    Tried in turn: the same lines; the same but for white space at the ends of lines and empty lines; the same but
    for an indentation that differs everywhere alike; similar lines. The first that finds anything decides, and it
    must find exactly one place.
    """
    lines, wanted = text.split("\n"), _trimmed(search.split("\n"))
    if not wanted:
        return Missing(0)
    width = len(wanted)
    exact = [at for at in range(len(lines) - width + 1) if lines[at : at + width] == wanted]
    if exact:
        return Place(exact[0], exact[0] + width) if len(exact) == 1 else Missing(len(exact))
    full = [(number, line.rstrip()) for number, line in enumerate(lines) if line.strip()]
    sought = [line.rstrip() for line in wanted if line.strip()]
    for places in (_shifted(full, sought), _similar(full, sought)):
        if places:
            return places[0] if len(places) == 1 else Missing(len(places))
    return Missing(0, _nearest(full, sought))


def _trimmed(lines: list[str]) -> list[str]:
    """Without empty lines at both ends: models add and lose them."""
    full = [at for at, line in enumerate(lines) if line.strip()]
    return lines[full[0] : full[-1] + 1] if full else []


def _shifted(full: list[tuple[int, str]], sought: list[str]) -> list[Place]:
    """Places with the same lines under one common change of indentation, none included."""
    width = len(sought)
    bare = [line.lstrip() for line in sought]
    places = []
    for at in range(len(full) - width + 1):
        window = full[at : at + width]
        if [line.lstrip() for _, line in window] != bare:
            continue
        steps = {_indent(line, mine) for (_, line), mine in zip(window, sought, strict=True)}
        if len(steps) == 1 and (step := steps.pop()) is not None:
            places.append(Place(window[0][0], window[-1][0] + 1, *step))
    return places


def _indent(theirs: str, mine: str) -> tuple[str, str] | None:
    """What to put before, or take from before, my line so that it is indented like theirs."""
    a, b = theirs[: len(theirs) - len(theirs.lstrip())], mine[: len(mine) - len(mine.lstrip())]
    if a.endswith(b):
        return a[: len(a) - len(b)], ""
    return ("", b[: len(b) - len(a)]) if b.endswith(a) else None


def _similar(full: list[tuple[int, str]], sought: list[str]) -> list[Place]:
    """The one clearly most similar place, if it is similar enough. A single line is never guessed."""
    ranked = _ranked(full, sought)
    if not ranked or ranked[0][0] < SIMILAR:
        return []
    best, at = ranked[0]
    width = len(sought)
    rivals = [place for score, place in ranked[1:] if abs(place - at) >= width and score > best - CLEAR]
    window = full[at : at + width]
    step = _indent(window[0][1], sought[0]) or ("", "")
    found = Place(window[0][0], window[-1][0] + 1, *step)
    return [found] * (1 + len(rivals))


def _ranked(full: list[tuple[int, str]], sought: list[str]) -> list[tuple[float, int]]:
    """(similarity, place) of the windows that share most lines with the search, at least a third; best first."""
    width = len(sought)
    if width < 2 or width > len(full):
        return []
    bare = [line.lstrip() for _, line in full]
    mine = [line.lstrip() for line in sought]
    likely = sorted((-count, at) for at, count in enumerate(_shared(bare, mine)) if 3 * count >= width)[:COMPARED]
    return sorted(((_similarity(bare[at : at + width], mine), at) for _, at in likely), key=lambda x: (-x[0], x[1]))


def _shared(lines: list[str], mine: list[str]) -> list[int]:
    """For each window of `lines` as long as `mine`: how many lines the two have in common, wherever they stand."""
    wanted, have, width, common = Counter(mine), Counter[str](), len(mine), 0
    shared = []
    for at, line in enumerate(lines):
        have[line] += 1
        common += have[line] <= wanted[line]
        if at >= width:
            gone = lines[at - width]
            common -= have[gone] <= wanted[gone]
            have[gone] -= 1
        if at >= width - 1:
            shared.append(common)
    return shared


def _similarity(a: list[str], b: list[str]) -> float:
    """By characters where that is quick, by lines where the texts are long."""
    x, y = "\n".join(a), "\n".join(b)
    if max(len(x), len(y)) <= 2000:
        return SequenceMatcher(None, x, y, autojunk=False).ratio()
    return SequenceMatcher(None, a, b, autojunk=False).ratio()


def _nearest(full: list[tuple[int, str]], sought: list[str]) -> str:
    ranked = _ranked(full, sought)
    if not ranked:
        return ""
    _, at = ranked[0]
    return "\n".join(line for _, line in full[at : at + len(sought)])[:NEAREST_CHARACTERS]
