"""Reviews: one judge's scores for one item at one stage, read from files, and their sums and means."""

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from assay.base import Frozen
from assay.errors import AssayError
from assay.judging.rubrics import HIGHEST, LOWEST, OVERALL, STAGES, Rubric, Stage, rubric

Status = Literal["ok", "refused", "failed"]


class Review(Frozen):
    """What one judge said. Scores and reasons are there exactly when the status is ok."""

    judge: str
    item: str
    """What was reviewed: a task or a folder."""
    producer: str = ""
    """Who made it: a model or an agent."""
    stage: Stage
    status: Status = "ok"
    problem: str = ""
    """Why there are no scores: a refusal, or an answer that could not be read after every repair."""
    scores: dict[str, int] = {}
    reasons: dict[str, str] = {}
    strengths: tuple[str, ...] = ()
    weaknesses: tuple[str, ...] = ()
    fabricated: bool | None = None
    """Whether the judge says that something was made up; None where it was not asked."""
    confidence: int | None = None
    concealed: tuple[str, ...] = ()
    """Passages of the reviewed texts that a reader would not see, as they were shown to the judge."""


class UnreadableReview(AssayError):
    """A file or an answer that is no review of its stage."""


def scores_from(data: Mapping[str, Any], wanted: Rubric) -> dict[str, int]:
    """The scores of an answer in the published form. Raises UnreadableReview that names the key.

    Keys beside the named ones are passed over: judges add explanations of their own.
    """
    scores = {}
    for name in wanted.scored:
        entry = data.get(name, data.get("OverallAssessment") if name == OVERALL else None)
        score = entry.get("score") if isinstance(entry, Mapping) else None
        if not isinstance(score, int) or isinstance(score, bool) or not LOWEST <= score <= HIGHEST:
            raise UnreadableReview(f"'{name}' has no whole score from {LOWEST} to {HIGHEST}", f"it is: {entry!r:.80}")
        scores[name] = score
    return scores


def review_from(data: Mapping[str, Any], judge: str, item: str, producer: str, stage: Stage) -> Review:
    """A review from an answer in the published form. Raises UnreadableReview."""
    wanted = rubric(stage)
    overall = data.get(OVERALL) or data.get("OverallAssessment") or {}
    hallucination = data.get("Hallucination")
    flag = hallucination.get("has_hallucination") if isinstance(hallucination, Mapping) else None
    confidence = data.get("Confidence")
    return Review(
        judge=judge,
        item=item,
        producer=producer,
        stage=stage,
        scores=scores_from(data, wanted),
        reasons={name: _reason(data.get(name)) for name in wanted.dimensions},
        strengths=_texts(overall, "strengths"),
        weaknesses=_texts(overall, "weaknesses"),
        fabricated=flag if isinstance(flag, bool) else None,
        confidence=confidence if isinstance(confidence, int) else None,
    )


def _reason(entry: Any) -> str:
    return str(entry.get("justification", "")) if isinstance(entry, Mapping) else ""


def _texts(entry: Any, key: str) -> tuple[str, ...]:
    found = entry.get(key) if isinstance(entry, Mapping) else None
    return tuple(str(text) for text in found) if isinstance(found, list) else ()


def read_reviews(root: Path) -> list[Review]:
    """All reviews below a folder: Assay's own (`*.review.json`), and those of MLR-Bench's published layout.

    There a judge's folder is `…reviews_<judge>/<task>/`, with `idea/`, `proposal/`, `experiments/`, `paper/` and
    `review_<producer>.json`. Raises UnreadableReview that names the file.
    """
    found = []
    for file in sorted(root.rglob("*.json")):
        named = _published(file, root)
        if named is None and not file.name.endswith(".review.json"):
            continue
        try:
            data = json.loads(file.read_bytes())
            found.append(review_from(data, *named) if named else Review.model_validate(data))
        except (ValueError, AttributeError) as error:
            raise UnreadableReview(
                f"{file} is not a review: {str(error).splitlines()[0]}", "remove or repair it"
            ) from None
        except UnreadableReview as error:
            raise UnreadableReview(f"{file}: {error.message}", error.hint) from None
    return found


_FOLDERS: dict[str, Stage] = {"idea": "idea", "proposal": "proposal", "experiments": "experiment", "paper": "writeup"}


def _published(file: Path, root: Path) -> tuple[str, str, str, Stage] | None:
    """Judge, item, producer and stage by a file's place in MLR-Bench's layout; None if it has no such place."""
    parts = (root.name, *file.relative_to(root).parts)
    at = next((i for i, part in enumerate(parts) if "reviews_" in part), None)
    if at is None or len(parts) < at + 3:
        return None
    judge, item, stem = parts[at].split("reviews_", 1)[1], parts[at + 1], file.stem
    if len(parts) == at + 3 and stem.startswith("review_") and "hallucination" not in stem:
        return judge, item, stem.removeprefix("review_"), "whole"
    if len(parts) == at + 4 and parts[at + 2] in _FOLDERS:
        folder = parts[at + 2]
        return judge, item, stem.removeprefix(f"{folder}_"), _FOLDERS[folder]
    return None


@dataclass(frozen=True)
class Aggregate:
    """One dimension of one producer at one stage, by one judge or as the mean of all."""

    stage: Stage
    producer: str
    judge: str | None
    """None: for every item the judges' scores are averaged first, with equal weight."""
    dimension: str
    items: int
    total: float
    mean: float
    sd: float
    """Population standard deviation over items, as published."""


def aggregate(reviews: Iterable[Review]) -> list[Aggregate]:
    """Per judge, then over judges. Items that not every judge scored are left out of the latter."""
    cells: dict[tuple[Stage, str, str], dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    for review in reviews:
        if review.status == "ok":
            for name, score in review.scores.items():
                cells[review.stage, review.producer, name][review.judge][review.item] = score
    rows = []
    for (stage, producer, name), judges in cells.items():
        for judge, items in judges.items():
            rows.append(_row(stage, producer, judge, name, [float(score) for score in items.values()]))
        shared = set.intersection(*(set(items) for items in judges.values()))
        means = [sum(items[item] for items in judges.values()) / len(judges) for item in sorted(shared)]
        if len(judges) > 1 and means:
            rows.append(_row(stage, producer, None, name, means))
    order = {stage: place for place, stage in enumerate(STAGES)}
    return sorted(rows, key=lambda row: (order[row.stage], row.producer, row.judge or "~"))


def _row(stage: Stage, producer: str, judge: str | None, name: str, values: list[float]) -> Aggregate:
    mean = sum(values) / len(values)
    spread = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
    return Aggregate(stage, producer, judge, name, len(values), sum(values), mean, spread)
