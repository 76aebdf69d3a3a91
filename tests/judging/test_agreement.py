"""Agreement with people: the published procedure by hand, and what it lacks."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay.errors import UsageError
from assay.judging.agreement import Row, agreement, read_scores
from assay.judging.calibration import krippendorff_alpha, weighted_kappa


def row(reviewer: str, item: str, human: float, judge: float) -> Row:
    return Row(reviewer, (item,), human, judge)


def test_the_published_procedure_by_hand() -> None:
    rows = [
        row("a", "p1", 4, 6.0),
        row("b", "p1", 6, 6.0),
        row("a", "p2", 3, 7.5),
        row("c", "p2", 8, 7.5),
        # one person twice and another once: not equally many, so no pair
        row("a", "p3", 5, 5.0),
        row("a", "p3", 9, 5.0),
        row("b", "p3", 7, 5.0),
        row("d", "p4", 2, 3.0),
    ]
    found = agreement("Overall", rows)
    humans, judged = [2.0, 5.0], [2.0, 0.0, 4.5, 0.5, 0.0, 4.0, 2.0, 1.0]
    test = stats.mannwhitneyu(humans, judged, alternative="two-sided", method="asymptotic")
    assert (found.human_pairs, found.judge_pairs) == (2, 8)
    assert (found.u, found.p) == (test.statistic, test.pvalue)
    assert found.difference_humans.value == 3.5
    assert found.difference_judge.value == 1.75
    assert found.mean_human == 5.5


def test_a_judge_that_repeats_people_is_equivalent_and_one_that_inverts_them_ranks_against_them() -> None:
    people = [(i, float(1 + i % 9)) for i in range(27)]
    same = [row(name, f"p{i}", score, score) for i, score in people for name in ("a", "b")]
    inverted = [row(name, f"p{i}", score, 10 - score) for i, score in people for name in ("a", "b")]
    good, bad = agreement("x", same), agreement("x", inverted)
    assert good.rank_judge.value == pytest.approx(1) and good.bias.value == 0
    assert bad.rank_judge.value == pytest.approx(-1) and bad.equivalent is False


def test_no_difference_found_is_not_agreement() -> None:
    """A test of few noisy ratings finds no difference; the test of equivalence does not claim agreement."""
    rows = [
        row(r, f"p{i}", s, 5.0)
        for i, (s1, s2) in enumerate([(2, 8), (9, 3), (5, 5)])
        for r, s in (("a", s1), ("b", s2))
    ]
    found = agreement("x", rows)
    assert found.p is not None and found.p > 0.05
    assert found.equivalent is False


def test_columns_are_read_and_wrong_files_are_named(tmp_path: Path) -> None:
    file = tmp_path / "scores.csv"
    with file.open("w", newline="") as out:
        table = csv.writer(out)
        table.writerow(
            ["reviewer_id", "model_name", "workshop_name", "Novelty_human", "Confidence_human", "Novelty_llm"]
        )
        table.writerow(["1", "claude", "task", "6", "", "7.5"])
    assert read_scores(file) == {"Novelty": [Row("1", ("task", "claude"), 6.0, 7.5)]}
    file.write_text("a,b\n1,2\n")
    with pytest.raises(UsageError, match="has no ratings"):
        read_scores(file)
    file.write_text("reviewer_id,item,X_human,X_llm\n1,p,six,7\n")
    with pytest.raises(UsageError, match="line 2"):
        read_scores(file)


def test_weighted_kappa_by_hand() -> None:
    assert weighted_kappa([1, 5, 10], [1, 5, 10]) == 1
    assert weighted_kappa([8, 8, 8], [8, 8, 8]) is None
    # observed disagreement 2·1, expected by chance 1/2·(0+1+1+0)·… : perfectly inverted pairs give −1
    assert weighted_kappa([1, 10], [10, 1]) == pytest.approx(-1)


def test_alpha_by_hand() -> None:
    assert krippendorff_alpha([[3, 3], [7, 7]]) == 1
    # within: two units of squared difference 1 each over 4 values; among: pairs of (1, 2, 2, 3)
    assert krippendorff_alpha([[1, 2], [2, 3]]) == pytest.approx(1 - (2 * 2 / 4) / (2 * (1 + 1 + 4 + 0 + 1 + 1) / 12))
    assert krippendorff_alpha([[1], [2]]) is None


@given(st.lists(st.lists(st.integers(1, 10), min_size=2, max_size=4), min_size=2, max_size=12))
def test_alpha_is_at_most_one_and_blind_to_order(units: list[list[int]]) -> None:
    alpha = krippendorff_alpha(units)
    again = krippendorff_alpha([list(reversed(unit)) for unit in reversed(units)])
    assert (alpha is None) == (again is None)
    if alpha is not None and again is not None:
        assert alpha <= 1 + 1e-9 and alpha == pytest.approx(again)
