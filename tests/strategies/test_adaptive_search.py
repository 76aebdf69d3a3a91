import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.embedding.tokens import Tokens
from assay.strategies.adaptive_search import CLOSER, DEEPER, FARTHER, AdaptiveSearch, Branch, Windows
from assay.strategies.base import Setting
from assay.strategies.registry import build_params
from assay.strategies.request import Ask, Request, Step
from assay.strategies.trace import effective_dimension, rewrite_distance
from assay.tasks.candidate import Candidate
from assay.tasks.outcome import Outcome
from assay.tasks.spec import Metric

CODE = "\n".join(f"def f{i}(x):\n    return x * {i} + {i * i}" for i in range(12))


def make(steps: int = 100, preset: str | None = None, **params: str) -> AdaptiveSearch:
    setting = Setting(metric=Metric(name="m", direction="max", best=1.0, worst=0.0), steps=steps, seed=0)
    return AdaptiveSearch(build_params(AdaptiveSearch, preset, params), setting)


def step(index: int, value: float, code: str = "") -> Step:
    return Step(
        index=index,
        request=Request(kind="improve") if index else None,
        candidate=Candidate(files={"a.py": code or f"{CODE}\n# {index}"}),
        outcome=Outcome(kind="ok", value=value),
    )


def after(strategy: AdaptiveSearch, steps: list[Step]) -> AdaptiveSearch:
    for one in steps:
        strategy.memory.add(one)
    return strategy


def branches_of(trace) -> set[str]:
    return {s.request.origin for s in trace.steps[1:] if s.request.origin}


def test_it_climbs_while_that_pays_and_branches_when_it_does_not(play) -> None:
    rising = play("adaptive_search", 60, lambda index, request: 0.5 + index / 200)
    flat = play("adaptive_search", 60, lambda index, request: 0.4)
    assert branches_of(rising) == set()
    assert branches_of(flat) == {"branch 1", "branch 2"}
    assert next(s.index for s in flat.steps[1:] if s.request.origin) == 31


def test_a_step_of_every_branch_is_one_batch(play) -> None:
    trace = play("adaptive_search", 100, lambda index, request: 0.4)
    batches = [y for y in trace.yielded if isinstance(y, list)]
    assert len(batches) > 10
    assert {tuple(r.origin for r in batch) for batch in batches} == {("branch 1", "branch 2", "branch 3")}


@pytest.mark.parametrize(("window", "silent"), [(50, 50), (10, 10)])
def test_the_trigger_needs_a_whole_window(window: int, silent: int) -> None:
    strategy = make(p1_window=str(window))
    assert not strategy.stagnant([0.0] * silent)
    assert strategy.stagnant([0.0] * (silent + 1))


def test_the_trigger_is_silent_just_above_epsilon() -> None:
    strategy = make(p1_window="50")
    assert strategy.stagnant([0.0] * 50 + [0.0005 * 50])
    assert not strategy.stagnant([0.0] * 50 + [0.0005 * 50 + 1e-6])


def test_steps_of_a_failing_idea_are_steps_of_the_curve(play) -> None:
    trace = play("adaptive_search", 40, lambda index, request: "crashed", p1_window="12")
    assert next(s.index for s in trace.steps[1:] if s.request.origin) == 13


@pytest.mark.parametrize(("left", "count"), [(4, 1), (15, 1), (16, 2), (30, 2), (31, 3), (49, 3)])
def test_the_number_of_branches_follows_from_the_steps_left(left: int, count: int) -> None:
    strategy = after(make(100), [step(i, 0.5) for i in range(101 - left)])
    assert len(strategy.branch_out(strategy.memory[0])) == count


@pytest.mark.parametrize("left", [1, 3])
def test_with_too_few_steps_left_it_goes_on_climbing(play, left: int) -> None:
    trace = play("adaptive_search", 20 + left, lambda index, request: 0.4, p1_window="20")
    assert branches_of(trace) == set()


def test_branches_start_from_the_baseline_where_nothing_else_is_good() -> None:
    strategy = after(make(100), [step(0, 0.5), *(step(i, 0.1) for i in range(1, 60))])
    assert [b.incumbent.index for b in strategy.branch_out(strategy.memory[0])] == [0, 0, 0]


FAR = "class Other:\n    def run(self, data):\n        yield from sorted(data)\n"


@pytest.mark.parametrize(("value", "parents"), [(0.85, [1, 10]), (0.55, [1, 9])])
def test_branches_start_from_good_programs_first_and_different_ones_second(value: float, parents: list[int]) -> None:
    # nine good programs that hardly differ, one that differs much, and thirty that are neither
    good = [step(i, 0.9 - i / 1000, CODE + "\nx = 1" * i) for i in range(1, 10)]
    rest = [step(i, 0.6) for i in range(11, 41)]
    strategy = after(make(60), [step(0, 0.5), *good, step(10, value, FAR), *rest])
    assert [b.incumbent.index for b in strategy.branch_out(strategy.memory[0])] == parents


def stuck(strategy: AdaptiveSearch, vectors: list[np.ndarray]) -> Branch:
    strategy.origin = np.zeros(3, np.float32)
    strategy.unit = 1.0
    return Branch("branch 1", step(0, 0.5), attempts=len(vectors), kept=[False] * len(vectors), vectors=vectors)


AXES = [np.eye(3, dtype=np.float32)[i] for i in range(3)]


@pytest.mark.parametrize(
    ("vectors", "kind", "hint"),
    [
        ([0.1 * AXES[0]] * 3, "draft", FARTHER),
        (AXES, "tune", CLOSER),
        ([0.1 * axis for axis in AXES], "improve", DEEPER),
        ([AXES[0]] * 3, "improve", ""),
    ],
)
def test_rules_a_and_b_say_what_a_stagnating_branch_does_next(vectors: list[np.ndarray], kind: str, hint: str) -> None:
    strategy = make()
    assert strategy.adapt(stuck(strategy, vectors), Windows(a=3, a_max=0, b=3, b_max=0)) == (kind, hint)


def test_a_branch_that_makes_progress_or_has_hardly_begun_is_left_alone() -> None:
    strategy = make()
    branch = stuck(strategy, [0.1 * AXES[0]] * 3)
    branch.kept[-1] = True
    assert strategy.adapt(branch, Windows(3, 0, 3, 0)) == ("improve", "")
    assert strategy.adapt(stuck(strategy, AXES[:2]), Windows(3, 0, 3, 0)) == ("improve", "")


def test_branches_begin_with_ideas_that_know_of_each_other(play) -> None:
    trace = play(
        "adaptive_search",
        40,
        lambda index, request: 0.4,
        answers=lambda ask: [f"idea about {len(ask.guidance)}"],
        p1_window="9",
    )
    first = next(i for i, y in enumerate(trace.yielded) if isinstance(y, list))
    one, two, _ = trace.yielded[first - 3 : first]
    assert isinstance(one, Ask) and one.guidance == ""
    assert isinstance(two, Ask) and "idea about 0" in two.guidance


def test_it_says_when_the_budget_is_too_small_to_branch() -> None:
    assert make(100).notes() == () and make(20).notes() == ()
    assert "needs at least 54" in make(50, preset="fmlbench").notes()[0]
    assert "cannot branch within 5 steps" in make(5).notes()[0]
    assert make(54, preset="fmlbench").notes() == ()


def test_the_unit_of_reach_comes_from_the_task_and_no_task_has_none() -> None:
    assert 0.1 < rewrite_distance(CODE, Tokens()) < 2
    assert rewrite_distance("", Tokens()) == rewrite_distance("x = 1", Tokens()) == 0.0


@given(st.integers(2, 6))
def test_effective_dimension_counts_directions(n: int) -> None:
    assert effective_dimension(np.eye(n)) == pytest.approx(n)
    assert effective_dimension(np.outer(np.arange(1, n + 1), np.ones(4))) == pytest.approx(1)


def test_effective_dimension_of_nothing_is_one() -> None:
    assert effective_dimension(np.zeros((3, 4))) == effective_dimension(np.ones((1, 4))) == 1.0
