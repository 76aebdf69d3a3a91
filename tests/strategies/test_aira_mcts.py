from assay.strategies.request import Ask


def kinds(trace) -> list[tuple[str, int]]:
    return [(s.request.kind, s.request.parents[0]) for s in trace.steps[1:]]


def test_a_leaf_is_expanded_by_a_batch_and_the_better_child_is_followed(play) -> None:
    trace = play("aira_mcts", 4, lambda index, request: {1: 0.9, 2: 0.1}.get(index, 0.5), uct_c="0", root_widening="0")
    batches = [y for y in trace.yielded if not isinstance(y, Ask)]
    assert [len(batch) for batch in batches] == [2, 2]
    assert kinds(trace) == [("draft", 0), ("draft", 0), ("improve", 1), ("improve", 1)]


def test_failures_of_a_batch_are_mended_together(play) -> None:
    trace = play("aira_mcts", 4, lambda index, request: "crashed" if index <= 2 else 0.9)
    assert kinds(trace) == [("draft", 0), ("draft", 0), ("debug", 1), ("debug", 2)]


def test_when_every_draft_stays_broken_it_drafts_again(play) -> None:
    trace = play("aira_mcts", 20, lambda index, request: "crashed", max_debug_depth="1")
    assert "improve" not in {s.request.kind for s in trace.steps[1:]}
    assert sum(s.request.kind == "draft" for s in trace.steps[1:]) >= 10


def test_the_root_widens_with_its_visits(play) -> None:
    trace = play("aira_mcts", 60, lambda index, request: 0.4 + 0.001 * index, analyse="false")
    drafts = sum(s.request.kind == "draft" for s in trace.steps[1:])
    assert 5 <= drafts <= 9


def test_every_good_node_stays_reachable(play) -> None:
    # one branch is better than all others at first; exploration still comes back to the others
    trace = play("aira_mcts", 80, lambda index, request: 0.9 if index == 1 else 0.3, analyse="false")
    parents = {s.request.parents[0] for s in trace.steps[1:]}
    assert {1, 2} <= parents and len(parents) > 20


def test_the_preset_of_the_original_branches_wider(play) -> None:
    trace = play("aira_mcts", 5, lambda index, request: 0.6, preset="upstream")
    assert kinds(trace) == [("draft", 0)] * 5
