from itertools import count, pairwise

from assay.strategies.request import Ask


def stage(trace, name: str) -> list:
    return [s for s in trace.steps[1:] if s.request.origin == name]


def test_stages_have_their_shares_of_the_budget_and_their_own_kind_of_request(play) -> None:
    trace = play("ai_scientist_v2", 40, lambda index, request: 0.5 + index / 100)
    names = [s.request.origin for s in trace.steps[1:]]
    assert {name: names.count(name) for name in dict.fromkeys(names)} == {
        "basic_implementation": 4,
        "hyperparameter_tuning": 8,
        "creative_research": 20,
        "ablation_refinement": 8,
    }
    assert {s.request.kind for s in stage(trace, "hyperparameter_tuning")} == {"tune"}
    assert {s.request.kind for s in stage(trace, "ablation_refinement")} == {"ablate"}


def test_every_idea_is_drafted(play) -> None:
    numbers = count(1)
    trace = play(
        "ai_scientist_v2",
        40,
        lambda index, request: 0.6,
        answers=lambda ask: [f"idea {next(numbers)}"] if ask.kind == "ideate" else [],
    )
    drafts = [s.request.idea for s in trace.steps[1:] if s.request.kind == "draft"]
    assert drafts[:3] == ["idea 1", "idea 2", "idea 3"]


def test_batches_go_out_as_batches(play) -> None:
    trace = play("ai_scientist_v2", 40, lambda index, request: 0.6)
    assert [len(y) for y in trace.yielded if not isinstance(y, Ask)] == [4] * 10


def test_a_stage_starts_from_the_best_of_all_stages_before(play) -> None:
    # the second stage finds the best of the run; the third finds nothing better
    trace = play("ai_scientist_v2", 40, lambda index, request: 0.9 if index == 6 else 0.6 if index <= 12 else 0.2)
    first_batch = stage(trace, "creative_research")[:4]
    assert 6 in {s.request.parents[0] for s in first_batch}
    assert 6 in {s.request.parents[0] for s in stage(trace, "ablation_refinement")[:4]}


def test_later_stages_build_on_what_they_find(play) -> None:
    trace = play("ai_scientist_v2", 40, lambda index, request: 0.5 + index / 100, debug_prob="0")
    tuned = stage(trace, "hyperparameter_tuning")
    assert tuned[4].request.parents[0] == max(s.index for s in tuned[:4])


def test_a_batch_spreads_over_trees_and_then_over_nodes(play) -> None:
    trace = play("ai_scientist_v2", 100, lambda index, request: 0.5 + index / 1000, debug_prob="0")
    batches = [y for y in trace.yielded if not isinstance(y, Ask)]
    for before, batch in pairwise(batches):
        # at the start of a stage there is one solution, the best so far; from then on there are as many as it takes
        if before[0].origin == batch[0].origin:
            parents = [request.parents[0] for request in batch if request.kind != "draft"]
            assert len(parents) == len(set(parents))


def test_failures_are_mended_in_every_stage(play) -> None:
    trace = play("ai_scientist_v2", 60, lambda index, request: "crashed" if index % 3 == 0 else 0.6, debug_prob="1")
    for name in ("hyperparameter_tuning", "creative_research", "ablation_refinement"):
        assert "debug" in {s.request.kind for s in stage(trace, name)}


def test_goals_of_a_sub_stage_reach_the_requests(play) -> None:
    trace = play(
        "ai_scientist_v2",
        100,
        lambda index, request: 0.6,
        answers=lambda ask: ["look at the loss"] if ask.kind == "plan" else [],
    )
    assert any("look at the loss" in s.request.guidance for s in trace.steps[1:])


def test_shares_of_more_than_the_budget_are_refused() -> None:
    import pytest

    from assay.errors import UsageError
    from assay.strategies.registry import build_params, find_strategy

    with pytest.raises(UsageError, match="more than 1"):
        build_params(find_strategy("ai_scientist_v2"), None, {"stage_budgets": "0.5,0.5,0.5,0.5"})
