import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.strategies.landscape import KINDS, Kind, Landscape, Point
from assay.strategies.request import Request


@pytest.mark.parametrize("kind", KINDS)
def test_the_optimum_is_known_and_is_where_every_choice_is_right(kind: Kind) -> None:
    landscape = Landscape(kind, seed=1)
    assert landscape.quality(landscape.right) == 1.0 == landscape.optimum
    assert landscape.quality(tuple(1 - choice for choice in landscape.right)) < 1.0


def improving(kind: Kind) -> float:
    """The share of single changes that better a program which is half right, over many of them."""
    better = total = 0
    for seed in range(20):
        landscape = Landscape(kind, seed)
        half = tuple(right if i % 2 else 1 - right for i, right in enumerate(landscape.right))
        for i in range(len(half)):
            changed = (*half[:i], 1 - half[i], *half[i + 1 :])
            better += landscape.quality(changed) > landscape.quality(half)
            total += 1
    return better / total


def test_improvements_are_common_on_the_dense_and_rare_on_the_sparse_landscape() -> None:
    assert improving("dense") == 0.5
    assert improving("sparse") == 0.0


def test_single_changes_lead_away_from_the_optimum_on_the_deceptive_landscape() -> None:
    landscape = Landscape("deceptive", seed=0)
    wrong = tuple(1 - right for right in landscape.right)
    for i in range(len(wrong)):
        assert landscape.quality((*wrong[:i], 1 - wrong[i], *wrong[i + 1 :])) < landscape.quality(wrong) < 1


def test_noise_is_in_what_is_measured_and_not_in_what_is_true() -> None:
    landscape = Landscape("noisy", seed=0)
    start = landscape.start()
    assert start.value != landscape.true_value(start) == landscape.quality(landscape.point(start.candidate).choices)
    again = landscape.step(Request(kind="repeat"), [start], 1)
    assert again.value == start.value, "the same program is measured once"


@given(st.lists(st.integers(0, 1), min_size=24, max_size=24), st.booleans())
def test_a_program_can_be_read_back(choices: list[int], broken: bool) -> None:
    landscape = Landscape("dense", 0)
    point = Point(tuple(choices), broken)
    assert Landscape("dense", 0).point(landscape._candidate(point)) == point


def test_a_broken_program_stays_broken_until_it_is_mended() -> None:
    landscape = Landscape("dense", 0)
    steps = [landscape.start()]
    index = 0
    while steps[-1].ok:
        index += 1
        steps.append(landscape.step(Request(kind="improve", parents=(0,)), steps, index))
    broken = steps[-1]
    assert not landscape.step(Request(kind="improve", parents=(broken.index,)), steps, index + 1).ok
    fixes = [landscape.step(Request(kind="debug", parents=(broken.index,)), steps, index + n) for n in range(1, 20)]
    mended = [fix for fix in fixes if fix.ok]
    assert 5 < len(mended) < 19
    assert all(landscape.point(f.candidate).choices == landscape.point(broken.candidate).choices for f in mended)
