def test_drafts_come_first_and_then_the_best_is_improved(play) -> None:
    values = {1: 0.2, 2: 0.8, 3: 0.4, 4: 0.8, 5: 0.1, 6: 0.7, 7: 0.9}
    trace = play("aide", 8, lambda index, request: values.get(index, 0.0))
    asked = [(s.request.kind, s.request.parents[0]) for s in trace.steps[1:]]
    assert asked == [("draft", 0)] * 5 + [("improve", 2), ("improve", 2), ("improve", 7)]


def test_a_broken_leaf_is_mended_until_its_chain_is_too_long(play) -> None:
    trace = play("aide", 12, lambda index, request: "crashed", num_drafts="1", debug_prob="1")
    asked = [(s.request.kind, s.request.parents[0]) for s in trace.steps[1:]]
    # one draft and four fixes on top of each other: depths 0 to 3 may be mended; then a new draft
    assert asked[:6] == [("draft", 0), ("debug", 1), ("debug", 2), ("debug", 3), ("debug", 4), ("draft", 0)]


def test_a_node_is_mended_once(play) -> None:
    trace = play("aide", 20, lambda index, request: "crashed" if request.kind == "draft" else 0.1, debug_prob="1")
    mended = [s.request.parents[0] for s in trace.steps[1:] if s.request.kind == "debug"]
    assert len(mended) == len(set(mended)) == 5


def test_what_an_analysis_says_is_remembered(play) -> None:
    trace = play("aide", 2, lambda index, request: 0.6, answers=lambda ask: ["the prior helped"])
    assert "the prior helped" in trace.steps[2].request.memory
    quiet = play("aide", 2, lambda index, request: 0.6, answers=lambda ask: ["the prior helped"], analyse="false")
    assert "the prior helped" not in quiet.steps[2].request.memory


def test_a_draft_that_never_became_code_does_not_count(play) -> None:
    trace = play("aide", 8, lambda index, request: "refused" if index <= 3 else 0.6)
    assert [s.request.kind for s in trace.steps[1:]] == ["draft"] * 8
