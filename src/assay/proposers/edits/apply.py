"""From an answer to a candidate: every edit of it, or none."""

from dataclasses import dataclass

from assay.proposers.edits.checks import check_file, parse_python, same_program
from assay.proposers.edits.matching import Missing, Place, locate
from assay.proposers.edits.reply import Edit, Replacement, WholeFile, read_reply
from assay.tasks.candidate import Candidate
from assay.tasks.spec import TaskSpec

GROWTH = 4
LEAST_LIMIT = 20_000


@dataclass(frozen=True)
class Edited:
    """What became of an answer. `candidate` is set exactly when there are no problems; it may equal its parent."""

    candidate: Candidate | None
    summary: str
    problems: tuple[str, ...]
    """Sentences for the model: what is wrong and what to write instead."""

    def changed(self, parent: Candidate) -> bool:
        """Whether the program is another one; comments and formatting alone do not count."""
        assert self.candidate is not None
        return not all(same_program(text, self.candidate.files[path], path) for path, text in parent.files.items())


def size_limit(baseline: Candidate) -> int:
    """How long one file may become, in characters. It bounds what a prompt that shows the file can cost."""
    longest = max(len(text) for text in baseline.files.values())
    return max(GROWTH * longest, LEAST_LIMIT)


def apply_answer(answer: str, parent: Candidate, spec: TaskSpec, limit: int) -> Edited:
    """Apply all edits of an answer to the parent's files. Never raises, whatever the answer.

    The candidate has the parent's files, no more and no fewer; only editable ones differ.
    """
    editable = [path for path in spec.editable if path in parent.files]
    reply = read_reply(answer, editable, lambda path, text: _plausible(path, text, limit))
    files = dict(parent.files)
    problems = list(reply.problems)
    if not reply.edits and not problems:
        problems.append("the answer holds no edit: write the changed files in the format that was asked for")
    for edit in reply.edits:
        text, problem = _apply(edit, files[edit.path])
        if problem:
            problems.append(problem)
        else:
            files[edit.path] = text
    if not problems:
        for path in editable:
            if files[path] != parent.files[path]:
                problems += check_file(path, parent.files[path], files[path], spec.defines.get(path, ()), limit)
    candidate = None if problems else Candidate(files=files)
    return Edited(candidate, reply.summary, tuple(dict.fromkeys(problems)))


def _plausible(path: str, text: str, limit: int) -> bool:
    return len(text) <= limit and (not path.endswith(".py") or not isinstance(parse_python(text), str))


def _apply(edit: Edit, text: str) -> tuple[str, str]:
    """The file's new text and no problem, or the old one and what is wrong."""
    if isinstance(edit, WholeFile):
        return edit.text.rstrip() + "\n", ""
    if not edit.search.strip():
        if not text.strip():
            return edit.replace.rstrip() + "\n", ""
        return text, f"a search block for {edit.path} is empty: copy the lines that are to be replaced"
    place = locate(text, edit.search)
    if isinstance(place, Missing):
        return text, _not_one_place(edit, place)
    lines = text.split("\n")
    return "\n".join([*lines[: place.start], *_reindented(edit.replace, place), *lines[place.end :]]), ""


def _reindented(replace: str, place: Place) -> list[str]:
    if not replace:
        return []
    lines = replace.split("\n")
    if place.dedent:
        return [line.removeprefix(place.dedent) for line in lines]
    return [place.indent + line if line.strip() else line for line in lines]


def _not_one_place(edit: Replacement, missing: Missing) -> str:
    first = next(line for line in edit.search.split("\n") if line.strip()).strip()[:100]
    if missing.found > 1:
        return (
            f"the search block for {edit.path} that begins with {first!r} fits {missing.found} places: "
            "add lines around it until it fits one"
        )
    problem = f"the search block for {edit.path} that begins with {first!r} is not in the file"
    return f"{problem}; the nearest lines there are:\n{missing.nearest}" if missing.nearest else problem
