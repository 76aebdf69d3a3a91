"""Reading answers in words: ideas, analyses, summaries, plans."""

import json
import re

from assay.strategies.request import Ask

IDEA_CHARS = 2_000
ANALYSIS_CHARS = 800
SUMMARY_CHARS = 3_000

# no part of these may run over the end of a line: an answer of empty lines would take for ever
IDEA_HEADING = re.compile(r"^[^\w\n]*ideas?\b[ \d]*[^\w\n]*$|^#+[ \t]*idea\b.*$", re.IGNORECASE | re.MULTILINE)
NUMBERED = re.compile(r"^[ \t]*\d{1,2}[.)][ \t]+", re.MULTILINE)


def read_words(ask: Ask, text: str) -> tuple[str, ...]:
    """The texts that an answer holds, at most as many as were asked for. Never raises; none if nothing is usable."""
    text = text.rpartition("</think>")[2].strip()
    if ask.kind in ("ideate", "reflect"):
        wanted = max(1, ask.count) if ask.kind == "ideate" else 1
        return tuple(idea[:IDEA_CHARS] for idea in _ideas(text, wanted))[:wanted]
    limit = SUMMARY_CHARS if ask.kind == "summarise" else ANALYSIS_CHARS
    return (text[:limit],) if text else ()


def _ideas(text: str, wanted: int) -> list[str]:
    """Under headings, as JSON, as a numbered list where several are wanted, or the whole text as one."""
    headed = IDEA_HEADING.split(text)
    if len(headed) > 1:
        # what stands before the first heading is thinking aloud, unless nothing follows any heading
        return _filled(headed[1:]) or _filled(headed)
    if listed := _from_json(text):
        return listed
    if wanted > 1 and len(parts := NUMBERED.split(text)) > 2:
        return _filled(parts[1:])
    return _filled([text])


def _from_json(text: str) -> list[str]:
    """Ideas from a JSON list or object, fenced or bare: some models answer so whatever they are asked."""
    body = re.sub(r"^```\w*\s*|\s*```$", "", text.strip())
    if not body.startswith(("[", "{")):
        return []
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return []
    items = value if isinstance(value, list) else [value]
    return _filled([_flat(item) for item in items])


def _flat(item: object) -> str:
    if isinstance(item, dict):
        return ". ".join(str(value) for value in item.values() if isinstance(value, str))
    return item if isinstance(item, str) else ""


def _filled(texts: list[str]) -> list[str]:
    return [text.strip() for text in texts if text.strip()]
