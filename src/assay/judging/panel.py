"""A panel of judges over one or more research folders. Each review is kept as a file and asked for once."""

from collections.abc import Sequence
from pathlib import Path

from assay.errors import UsageError
from assay.files import write_whole
from assay.judging.judge import review
from assay.judging.material import material, research_in, stages_in
from assay.judging.reviews import Review
from assay.models.base import ModelSettings
from assay.models.client import open_client
from assay.models.usage import Usage


def hold(folder: Path, judges: Sequence[str], stage: str | None) -> Usage:
    """Have every judge review every stage of every item that it has not reviewed yet. Raises ModelUnavailable.

    Raises UsageError if there is nothing to review. Reviews that ended in a refusal or a failure are asked for again.
    """
    items = [item for item in research_in(folder) if stages_in(item)]
    if not items:
        raise UsageError(
            f"{folder} holds nothing to review", "it should hold idea.md, proposal.md, results.md or paper.md"
        )
    usage = Usage()
    for name in judges:
        client = open_client(name, ModelSettings(temperature=0.0))
        for item in items:
            for each in stages_in(item):
                file = folder / "reviews" / _safe(client.model) / f"{_safe(item.name)}.{each}.review.json"
                if stage not in (None, each) or _scored(file):
                    continue
                found, spent = review(client, item.name, "", material(item, each))
                usage += spent
                write_whole(file, found.model_dump_json(indent=1))
    return usage


def _scored(file: Path) -> bool:
    return file.is_file() and Review.model_validate_json(file.read_bytes()).status == "ok"


def _safe(name: str) -> str:
    return "".join(c if c.isalnum() or c in "._-" else "-" for c in name)
