def test_a_change_is_kept_only_if_it_is_strictly_better(play) -> None:
    values = {1: 0.6, 2: 0.6, 3: 0.55, 4: 0.7}
    trace = play("autoresearch", 5, lambda index, request: values.get(index, 0.1))
    assert [step.request.parents for step in trace.steps[1:]] == [(0,), (1,), (1,), (1,), (4,)]


def test_a_fix_starts_from_the_code_that_failed_and_an_idea_ends_after_three_failures(play) -> None:
    trace = play("autoresearch", 4, lambda index, request: "crashed", answers=lambda ask: ["try a prior"])
    assert [(s.request.kind, s.request.parents) for s in trace.steps[1:]] == [
        ("improve", (0,)),
        ("debug", (1,)),
        ("debug", (2,)),
        ("improve", (0,)),
    ]
    assert {s.request.idea for s in trace.steps[1:]} == {"try a prior"}


def test_a_mended_change_can_be_kept(play) -> None:
    trace = play("autoresearch", 3, lambda index, request: {1: "timeout", 2: 0.9}.get(index, 0.2))
    assert trace.steps[3].request.parents == (2,)


def test_where_nothing_was_proposed_there_is_nothing_to_mend(play) -> None:
    trace = play("autoresearch", 3, lambda index, request: "refused")
    assert [s.request.kind for s in trace.steps[1:]] == ["improve"] * 3


def test_lower_is_better_where_the_metric_says_so(play) -> None:
    trace = play("autoresearch", 3, lambda index, request: {1: 0.6, 2: 0.4}.get(index, 0.9), direction="min")
    assert [s.request.parents for s in trace.steps[1:]] == [(0,), (0,), (2,)]
