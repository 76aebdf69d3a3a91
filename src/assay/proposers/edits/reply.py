"""Reading a model's answer: which files it means, whole files or search/replace blocks, and what it says about them.

The reader is tolerant, because models differ in how they write what they mean. It accepts fences of any label and
length, paths in headings, backticks or after the label, several blocks for one file, blocks with or without a fence
around them, and fences inside the code. It never guesses between files: a path is one of the editable ones or an error.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from posixpath import normpath

FENCE = re.compile(r"^\s*(`{3,}|~{3,})\s*([^`]*)$")
SEARCH = re.compile(r"^\s*<{5,9}\s*(?:SEARCH|ORIGINAL)\b.*$", re.IGNORECASE)
DIVIDER = re.compile(r"^\s*={5,9}\s*$")
REPLACE = re.compile(r"^\s*>{5,9}\s*(?:REPLACE|UPDATED)\b.*$", re.IGNORECASE)
NAMED = re.compile(r"^[\W_]*(?:file|path|filename)\s*\**\s*:\s*(\S.*)$", re.IGNORECASE)
PATH_ALONE = re.compile(r"^[\s#*>`\-+:\"'\d.)(]*?((?:\./|/)?[\w\-][\w\-./]*\.\w{1,8})[\s*`:\"')]*$")
FILE_KINDS = {"py", "ipynb", "json", "toml", "yaml", "yml", "txt", "md", "cfg", "ini", "csv", "sh", "js", "c", "h"}
"""Endings by which a lone word counts as a file although it is not an editable one; `model.fit` and `1.2` are none."""
IN_BACKTICKS = re.compile(r"`([^`\s]+)`")
SUMMARY = re.compile(r"^[\W_]*summary\b[\W_]*(.*)$", re.IGNORECASE)

SUMMARY_CHARACTERS = 600
CLOSINGS_TRIED = 24
"""How many possible ends of a fence are tried; an answer made of fences alone must not cost a second."""


@dataclass(frozen=True)
class WholeFile:
    """The complete new text of a file."""

    path: str
    text: str


@dataclass(frozen=True)
class Replacement:
    """Lines to find in a file and the lines to put in their place."""

    path: str
    search: str
    replace: str


Edit = WholeFile | Replacement


@dataclass
class Reply:
    """What an answer means. `problems` are sentences for the model; an answer with problems changes nothing."""

    edits: list[Edit] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    summary: str = ""


def read_reply(answer: str, editable: Sequence[str], plausible: Callable[[str, str], bool]) -> Reply:
    """Read a model's answer. Never raises, whatever the answer.

    `plausible(path, text)` says whether a text could be the whole of a file: it decides where a fence ends whose
    content holds fences too.
    """
    reader = _Reader(_lines(answer), editable, plausible)
    reader.read()
    return reader.reply


def _lines(answer: str) -> list[str]:
    """The answer's lines, without the thoughts that some models say aloud first."""
    answer = answer.replace("\r\n", "\n").replace("\r", "\n")
    return answer.rpartition("</think>")[2].split("\n")


class _Reader:
    def __init__(self, lines: list[str], editable: Sequence[str], plausible: Callable[[str, str], bool]) -> None:
        self.reply = Reply()
        self._lines = lines
        self._editable = editable
        self._plausible = plausible
        self._at = 0
        self._path: str | None = None
        """The file that a heading named last."""
        self._around: str | None = None
        """The fence that stands around search/replace blocks, until it is closed."""
        self._floor = 0
        """Where the last block ended: what stands before it says nothing about the next one."""
        self._unnamed: list[str] = []
        self._prose: list[str] = []

    def read(self) -> None:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if self._around and _closes(line, self._around):
                self._around = None
                self._at += 1
            elif SEARCH.match(line):
                self._read_replacement()
            elif fence := FENCE.match(line):
                self._read_fence(fence.group(1), fence.group(2).strip())
            else:
                self._read_prose(line)
                self._at += 1
        self._settle_unnamed()
        self._settle_summary()

    def _read_prose(self, line: str) -> None:
        if path := self._path_on(line):
            self._path = path
        self._prose.append(line)

    def _read_replacement(self) -> None:
        path = self._path_before() or self._path or self._only()
        divider = self._find(DIVIDER, self._at + 1, stop=SEARCH)
        end = self._find(REPLACE, divider + 1, stop=SEARCH) if divider is not None else None
        if divider is None or end is None:
            self.reply.problems.append(
                "a search/replace block is not complete: it needs the lines '<<<<<<< SEARCH', '=======' and "
                "'>>>>>>> REPLACE' in this order"
            )
            self._at += 1
            return
        search, replace = self._lines[self._at + 1 : divider], self._lines[divider + 1 : end]
        self._at = self._floor = end + 1
        self._path = path
        if path is None:
            self.reply.problems.append("a search/replace block stands under no 'FILE:' heading")
        elif known := self._known(path):
            self.reply.edits.append(Replacement(known, "\n".join(search), "\n".join(replace)))

    def _read_fence(self, fence: str, label: str) -> None:
        first = self._at + 1
        opening = [line for line in self._lines[first : first + 4] if line.strip()]
        if any(SEARCH.match(line) for line in opening[:2]):
            # the fence is only packing: the blocks inside are read as if it were not there
            self._path = self._path_in_label(label) or self._path_before() or self._path
            self._around = fence
            self._at = self._floor = first
            return
        path = self._path_in_label(label) or self._path_before() or self._path
        closings = (at for at in range(first, len(self._lines)) if _closes(self._lines[at], fence))
        ends = list(islice(closings, CLOSINGS_TRIED))
        if not ends:
            self._at = len(self._lines)
            self.reply.problems.append(f"the code fence for {path or 'a file'} is not closed: was the answer cut off?")
            return
        path = path or self._path_in_comment(self._lines[first])
        end = self._end_of(path or self._only(), first, ends)
        text = "\n".join(self._lines[first:end])
        self._at = self._floor = end + 1
        # a heading names one whole file: what is fenced after it is something else, an example of use perhaps
        self._path = None
        if path is None:
            self._unnamed.append(text)
        elif known := self._known(path):
            self.reply.edits.append(WholeFile(known, text))

    def _end_of(self, path: str | None, first: int, ends: list[int]) -> int:
        """The first closing fence that leaves a plausible file; a fence inside a docstring does not."""
        if path is not None:
            for end in ends:
                if self._plausible(path, "\n".join(self._lines[first:end])):
                    return end
        return ends[0]

    def _find(self, pattern: re.Pattern[str], start: int, stop: re.Pattern[str]) -> int | None:
        for at in range(start, len(self._lines)):
            if pattern.match(self._lines[at]):
                return at
            if stop.match(self._lines[at]):
                return None
        return None

    def _path_before(self) -> str | None:
        """The path in the last line before this one that says anything: alone, or an editable one in backticks."""
        for line in reversed(self._lines[max(self._floor, self._at - 4) : self._at]):
            if line.strip() and not FENCE.match(line):
                inside = [found for found in IN_BACKTICKS.findall(line) if _normal(found) in self._editable]
                return self._path_on(line) or (inside[0] if len(set(inside)) == 1 else None)
        return None

    def _path_on(self, line: str) -> str | None:
        """The path of a line that is a heading for a file: `### FILE: a.py`, `**a.py**`, a path in backticks."""
        if len(line) > 300:
            return None
        if named := NAMED.match(line):
            inside = IN_BACKTICKS.search(named.group(1))
            return (inside.group(1) if inside else named.group(1)).strip().strip("`'\"*: ") or None
        alone = PATH_ALONE.match(line)
        return alone.group(1) if alone and self._is_file(alone.group(1)) else None

    def _path_in_label(self, label: str) -> str | None:
        """The path in a fence's label: `python a.py`, `python:a.py`, `a.py`, `python title="a.py"`."""
        words = (word.strip("\"'`{}[]()") for word in re.split(r"[\s:=]+", label[:300]))
        return next((word for word in words if self._is_file(word)), None)

    def _path_in_comment(self, line: str) -> str | None:
        """The path in a file's first line, where it is a comment that says nothing else: `# a.py`."""
        bare = line.strip().lstrip("#/")
        return self._path_on(bare) if bare != line.strip() else None

    def _is_file(self, word: str) -> bool:
        return _normal(word) in self._editable or ("." in word and word.rpartition(".")[2].lower() in FILE_KINDS)

    def _only(self) -> str | None:
        return self._editable[0] if len(self._editable) == 1 else None

    def _known(self, path: str) -> str | None:
        normal = _normal(path)
        if normal in self._editable:
            return normal
        self.reply.problems.append(
            f"'{path[:200]}' is not a file that may be edited; these are: {', '.join(self._editable)}"
        )
        return None

    def _settle_unnamed(self) -> None:
        """A fence that names no file means the only editable one, if nothing else was edited and it could be it."""
        if self.reply.edits or self.reply.problems or not self._unnamed:
            return
        only = self._only()
        whole = [text for text in self._unnamed if only and self._plausible(only, text)]
        if only and len(whole) == 1:
            self.reply.edits.append(WholeFile(only, whole[0]))
        else:
            self.reply.problems.append(
                "a code block stands under no 'FILE:' heading, so it is not clear which file it is"
            )

    def _settle_summary(self) -> None:
        for at, line in enumerate(self._prose):
            if said := SUMMARY.match(line):
                paragraph = [said.group(1)] if said.group(1).strip() else []
                for following in self._prose[at + 1 :]:
                    if self._path_on(following) or (paragraph and not following.strip()):
                        break
                    paragraph += [following] if following.strip() else []
                break
        else:
            paragraph = [line for line in self._prose if line.strip() and not self._path_on(line)][:4]
        self.reply.summary = " ".join(" ".join(paragraph).split())[:SUMMARY_CHARACTERS]


def _closes(line: str, fence: str) -> bool:
    stripped = line.strip()
    return len(stripped) >= len(fence) and set(stripped) == {fence[0]}


def _normal(path: str) -> str:
    """A path as the task writes it. What leads out of the workspace stays visible and so is no editable file."""
    cleaned = path.strip().strip("`'\"*: ")
    normal = normpath(cleaned) if cleaned else ""
    return normal.removeprefix("workspace/")
