"""Reviews in the published form: the exact sums and means that were published come out of files of that form."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.judging.reviews import Aggregate, UnreadableReview, aggregate, read_reviews
from assay.judging.rubrics import Stage, rubric

JUDGES = ("claude-3-7-sonnet-20250219", "gemini-2.5-pro-preview")
# exact integer sums over all tasks of one producer, judge and dimension, as published with MLR-Bench
SUMS: list[tuple[Stage, str, int, dict[str, tuple[int, int]]]] = [
    (
        "idea",
        "ministral-8b",
        201,
        {
            "Consistency": (1759, 1853),
            "Clarity": (1536, 1611),
            "Novelty": (1354, 1320),
            "Feasibility": (1427, 1360),
            "Significance": (1630, 1731),
            "Overall": (1529, 1557),
        },
    ),
    (
        "proposal",
        "gemini-2.5-pro-preview-03-25",
        201,
        {
            "Consistency": (1807, 1851),
            "Clarity": (1612, 1773),
            "Novelty": (1492, 1544),
            "Soundness": (1531, 1644),
            "Feasibility": (1356, 1438),
            "Significance": (1691, 1817),
            "Overall": (1606, 1673),
        },
    ),
    (
        "experiment",
        "claude",
        10,
        {
            "Consistency": (88, 47),
            "Completeness": (77, 43),
            "Novelty": (69, 44),
            "Soundness": (67, 28),
            "Insightfulness": (59, 31),
            "Significance": (66, 28),
            "Overall": (69, 30),
        },
    ),
    (
        "writeup",
        "o4-mini-2025-04-16",
        10,
        {
            "Consistency": (76, 51),
            "Clarity": (79, 66),
            "Completeness": (70, 53),
            "Soundness": (61, 40),
            "Overall": (70, 48),
        },
    ),
    (
        "whole",
        "o4-mini",
        10,
        {
            "Clarity": (80, 73),
            "Novelty": (70, 68),
            "Soundness": (56, 20),
            "Significance": (66, 35),
            "Overall": (57, 22),
        },
    ),
]
MEANS = {
    ("idea", "Novelty"): 6.6517,
    ("proposal", "Overall"): 8.1567,
    ("experiment", "Overall"): 4.95,
    ("whole", "Overall"): 3.95,
}


def spread(total: int, items: int) -> list[int]:
    """Whole scores from 1 to 10 with this sum."""
    low, rest = divmod(total, items)
    return [low + (i < rest) for i in range(items)]


def published(stage: Stage, scores: dict[str, int]) -> dict[str, Any]:
    overall = "Overall" if stage == "whole" else "OverallAssessment"
    answer: dict[str, Any] = {
        name: {"score": scores[name], "justification": "because", "scale": "1-10"} for name in rubric(stage).dimensions
    }
    answer[overall] = {"score": scores["Overall"], "strengths": ["a"], "weaknesses": [], "justification": "extra"}
    if stage == "experiment":
        answer["Hallucination"] = {"has_hallucination": True, "details": "made up"}
    if stage == "whole":
        answer["Confidence"] = 4
    return answer


def place(stage: Stage, producer: str) -> str:
    folders = {"idea": f"idea/idea_{producer}", "proposal": f"proposal/proposal_{producer}"}
    more = {"experiment": f"experiments/{producer}", "writeup": f"paper/{producer}", "whole": f"review_{producer}"}
    return {**folders, **more}[stage] + ".json"


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[Aggregate]:
    root = tmp_path_factory.mktemp("agent_reviews")
    for stage, producer, items, sums in SUMS:
        for number, judge in enumerate(JUDGES):
            columns = {name: spread(both[number], items) for name, both in sums.items()}
            for i in range(items):
                file = root / f"reviews_{judge}" / f"task{i:03}" / place(stage, producer)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps(published(stage, {name: column[i] for name, column in columns.items()})))
    return aggregate(read_reviews(root))


def test_the_published_sums_come_out_exactly(rows: list[Aggregate]) -> None:
    found = {(r.stage, r.producer, r.judge, r.dimension): (r.items, r.total) for r in rows}
    expected = {
        (stage, producer, judge, name): (items, both[number])
        for stage, producer, items, sums in SUMS
        for name, both in sums.items()
        for number, judge in enumerate(JUDGES)
    }
    assert expected.items() <= found.items()


def test_the_published_means_of_both_judges_come_out_to_four_digits(rows: list[Aggregate]) -> None:
    found = {(r.stage, r.dimension): round(r.mean, 4) for r in rows if r.judge is None}
    assert MEANS.items() <= found.items()


def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "reviews_j" / "task" / "review_x.json"
    file.parent.mkdir(parents=True)
    for text, reason in (("{", "not a review"), ('{"Clarity": {"score": 11}}', "'Clarity' has no whole score")):
        file.write_text(text)
        with pytest.raises(UnreadableReview, match=r"review_x\.json") as error:
            read_reviews(tmp_path)
        assert reason in error.value.message


def test_hallucination_reviews_are_no_scores(tmp_path: Path) -> None:
    file = tmp_path / "reviews_j" / "task" / "review_hallucination_x.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"has_hallucination": true}')
    assert read_reviews(tmp_path) == []
