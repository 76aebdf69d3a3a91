from hypothesis import given
from hypothesis import strategies as st

from assay.strategies.population import Archive, Island, Program, References, Scales
from assay.strategies.request import Ask, Request, Step
from assay.tasks.candidate import Candidate
from assay.tasks.outcome import Outcome


def program(index: int, worth: float, code: str | None = None, features: tuple[float, ...] = (1.0, 0.5)) -> Program:
    step = Step(
        index=index,
        request=Request(kind="improve"),
        candidate=Candidate(files={"a.py": code if code is not None else f"x = {index}"}),
        outcome=Outcome(kind="ok", value=worth),
    )
    return Program(step, worth, generation=1, features=features)


def test_a_generation_is_one_batch_with_a_parent_for_every_island(play) -> None:
    trace = play("openevolve", 9, lambda index, request: 0.6)
    batches = [y for y in trace.yielded if not isinstance(y, Ask)]
    assert [[r.origin for r in batch] for batch in batches] == [["island 0", "island 1", "island 2"]] * 3


def test_inspirations_go_with_the_parent_and_are_other_working_programs(play) -> None:
    trace = play("openevolve", 90, lambda index, request: "crashed" if index % 4 == 0 else 0.5 + index / 1000)
    evolved = [s.request for s in trace.steps[1:] if s.request.kind == "improve"]
    assert max(len(r.parents) for r in evolved) == 4
    for request in evolved:
        assert len(set(request.parents)) == len(request.parents)
        assert all(trace.steps[p].ok for p in request.parents)


def test_no_inspirations_where_none_are_wanted(play) -> None:
    trace = play("openevolve", 30, lambda index, request: 0.6, num_inspirations="0")
    assert {len(s.request.parents) for s in trace.steps[1:]} == {1}


def test_a_broken_program_is_mended_at_most_twice_and_never_a_parent(play) -> None:
    trace = play("openevolve", 60, lambda index, request: "crashed", debug_prob="1")
    depth = {0: 0}
    for step in trace.steps[1:]:
        parent = step.request.parents[0]
        depth[step.index] = depth[parent] + 1 if step.request.kind == "debug" else 0
        assert step.request.kind == "debug" or parent == 0
    assert max(depth.values()) == 2


def test_a_good_program_of_one_island_reaches_its_neighbours(play) -> None:
    trace = play(
        "openevolve",
        60,
        lambda index, request: 0.99 if index == 1 else 0.1,
        migration_interval="2",
        exploitation_ratio="1",
        exploration_ratio="0",
        archive_size="1",
    )
    users = {s.request.origin for s in trace.steps[7:] if s.request.parents[0] == 1}
    assert users == {"island 0", "island 1", "island 2"}


def test_cells_hold_the_best_of_their_kind_and_every_cell_can_be_a_parent() -> None:
    scales = Scales(bins=2)
    island = Island(0, scales)
    for number, size in enumerate((10.0, 100.0, 12.0, 90.0)):
        one = program(number, worth=number / 10, features=(size, 0.5))
        scales.widen(one.features)
        island.add(one)
    assert sorted(p.index for p in island.elites()) == [2, 3]


def test_cells_are_drawn_anew_when_the_scale_grows() -> None:
    scales = Scales(bins=2)
    island = Island(0, scales)
    for number, size in enumerate((10.0, 20.0)):
        scales.widen((size, 0.5))
        island.add(program(number, 0.1 * number, features=(size, 0.5)))
    assert len(island.elites()) == 2
    scales.widen((1000.0, 0.5))
    # both are small now: one cell, and its better program
    assert [p.index for p in island.elites()] == [1]


def test_equal_programs_count_once() -> None:
    island, archive = Island(0, Scales(2)), Archive(size=3)
    assert island.add(program(1, 0.5, code="same")) and not island.add(program(2, 0.5, code="same"))
    for number in (1, 2):
        archive.add(program(number, 0.5, code="same"))
    assert len(archive.programs) == 1


def test_an_island_sends_out_its_own_and_not_its_guests() -> None:
    island = Island(0, Scales(2))
    island.add(program(1, 0.2))
    island.add(program(2, 0.9), native=False)
    assert [p.index for p in island.emigrants(0.1)] == [1]


@given(st.lists(st.floats(0, 1), max_size=40))
def test_the_archive_is_the_best_in_order(worths: list[float]) -> None:
    archive = Archive(size=5)
    for index, worth in enumerate(worths):
        archive.add(program(index, worth))
    assert [p.worth for p in archive.programs] == sorted(worths, reverse=True)[:5]


@given(st.lists(st.tuples(st.floats(0, 1e6), st.floats(0, 1)), min_size=1, max_size=20))
def test_cells_are_within_the_grid(points: list[tuple[float, float]]) -> None:
    scales = Scales(bins=5)
    for point in points:
        scales.widen(point)
    assert all(0 <= part < 5 for point in points for part in scales.cell(point))


def test_diversity_is_small_for_what_is_known_and_large_for_what_is_not() -> None:
    references = References(size=2)
    known = Candidate(files={"a.py": "def fit(x):\n    return x.mean()\n"})
    other = Candidate(files={"a.py": "class Net:\n    layers = [1, 2]\n    def go(self): yield 7\n"})
    assert references.measure(known)[0] == 0.5
    references.offer(references.measure(known)[1])
    assert references.measure(known)[0] < 0.01 < references.measure(other)[0]
