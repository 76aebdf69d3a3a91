"""The offline proposer: what it changes, what it says it changed, and what it learns."""

import ast
import math
from collections.abc import Callable
from dataclasses import replace

import pytest

from assay.proposers.base import Proposal, View
from assay.proposers.fixed import FixedProposer
from assay.proposers.offline import OfflineProposer
from assay.strategies.request import Ask, Request, Step, Usage
from assay.tasks.candidate import Candidate
from assay.tasks.load import Task
from assay.tasks.outcome import Outcome

PATH = "algorithm.py"
SOURCE = '''\
"""A classifier with a few settings."""

import numpy as np
from sklearn.linear_model import LogisticRegression

RATE = 0.001  # far too small
IDLE = 3.0
CENTRE = True


def answer(X, y, X_eval):
    model = LogisticRegression(C=1.0, max_iter=200)
    model.fit(np.column_stack([X, X**2]), y)
    return model.predict(np.column_stack([X_eval, X_eval**2]))
'''


def ok(value: float) -> Outcome:
    return Outcome(kind="ok", value=value, metrics={"height": value})


def crashed() -> Outcome:
    return Outcome(kind="crashed", blame="agent", message="it fell over")


def candidate(text: str) -> Candidate:
    return Candidate(files={PATH: text})


def first(text: str = SOURCE, value: float = 1.0) -> Step:
    return Step(index=0, request=None, candidate=candidate(text), outcome=ok(value))


def later(index: int, text: str, outcome: Outcome, parents: tuple[int, ...] = (0,), description: str = "") -> Step:
    request = Request(kind="improve", parents=parents)
    return Step(index=index, request=request, candidate=candidate(text), description=description, outcome=outcome)


def text_of(proposal: Proposal) -> str:
    assert proposal.candidate is not None, proposal.failure
    return proposal.candidate.files[PATH]


def setting(text: str, name: str) -> float:
    """The number a module-level name is set to; read from the tree, nothing is run."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return float(ast.literal_eval(node.value))
    raise AssertionError(f"{name} is gone")


def climb(task: Task, steps: list[Step], height: Callable[[str], float], budget: int) -> Step:
    """Greedy search with the real proposer on a landscape that reads the code's settings."""
    incumbent, proposer = steps[0], OfflineProposer()
    for moment in range(budget):
        request = Request(kind="improve", parents=(incumbent.index,))
        proposal = proposer.propose(request, View(task, steps, 0, moment))
        if proposal.candidate is None:
            continue
        value = height(text_of(proposal))
        outcome = ok(value) if math.isfinite(value) else crashed()
        step = later(len(steps), text_of(proposal), outcome, request.parents, proposal.description)
        steps.append(step)
        if step.value is not None and step.value < (incumbent.value or 0):
            incumbent = step
    return incumbent


def test_climbs_towards_a_setting_that_is_orders_of_magnitude_away(tiny_task: Task) -> None:
    def height(text: str) -> float:
        return abs(math.log10(setting(text, "RATE")))  # lowest at 1, the source begins at 0.001

    reached = climb(tiny_task, [first(value=3.0)], height, budget=60)
    assert height(reached.candidate.files[PATH]) < 0.5


def test_turns_away_from_settings_that_do_nothing(tiny_task: Task) -> None:
    text = "A = 1.0\nB = 2.0\nC = 3.0\nD = 4.0\n\n\ndef answer():\n    return A\n"
    steps = [first(text, value=3.0)]
    climb(tiny_task, steps, lambda code: 3 - math.log10(setting(code, "A")), budget=20)
    touched = {name: sum(f"{name}: " in step.description for step in steps) for name in "ABCD"}
    assert touched["A"] > 2 * max(touched["B"], touched["C"], touched["D"])


def test_stays_short_of_what_failed(tiny_task: Task) -> None:
    text = "SIZE = 64\n\n\ndef answer():\n    return SIZE\n"
    steps = [first(text), later(1, text.replace("64", "256"), crashed(), description="SIZE: 64 → 256")]
    steps.append(later(2, text.replace("64", "30"), ok(2.0), description="SIZE: 64 → 30"))
    for moment in range(40):
        proposal = OfflineProposer().propose(Request(kind="tune"), View(tiny_task, steps, 0, moment))
        assert setting(text_of(proposal), "SIZE") < 256


def test_says_exactly_what_it_changed(tiny_task: Task) -> None:
    for moment in range(60):
        proposal = OfflineProposer().propose(Request(kind="tune"), View(tiny_task, [first()], 0, moment))
        text = text_of(proposal)
        for part in proposal.description.split("; "):
            site, _, change = part.partition(": ")
            before, _, after = change.partition(" → ")
            if site in ("RATE", "IDLE"):
                assert setting(SOURCE, site) == float(before)
                assert setting(text, site) == float(after)
            if site == "class_weight of LogisticRegression in answer":
                assert f"class_weight={after}" in text


def test_numbers_below_zero_are_moved_and_told_with_their_sign(tiny_task: Task) -> None:
    text = "SHIFT = -0.5\n\n\ndef answer():\n    return SHIFT\n"
    for moment in range(20):
        proposal = OfflineProposer().propose(Request(kind="tune"), View(tiny_task, [first(text)], 0, moment))
        before, _, after = proposal.description.partition(": ")[2].partition(" → ")
        assert (float(before), float(after)) == (-0.5, setting(text_of(proposal), "SHIFT"))


def test_comments_and_layout_stay(tiny_task: Task) -> None:
    for moment in range(30):
        proposal = OfflineProposer().propose(Request(kind="tune"), View(tiny_task, [first()], 0, moment))
        assert "  # far too small\n" in text_of(proposal)


def test_swaps_an_estimator_and_imports_what_it_needs(tiny_task: Task) -> None:
    idea = "use another classifier than LogisticRegression in answer"
    names = set()
    for moment in range(12):
        request = Request(kind="improve", idea=idea)
        proposal = OfflineProposer().propose(request, View(tiny_task, [first()], 0, moment))
        text = text_of(proposal)
        name = proposal.description.partition("LogisticRegression → ")[2].partition(";")[0]
        names.add(name)
        namespace: dict[str, object] = {}
        imports = [line for line in text.splitlines() if line.startswith("from sklearn")]
        exec("\n".join(imports), namespace)
        assert name in namespace
        assert f"model = {name}(" in text or "Bagging" in text or "make_pipeline" in text
    assert len(names) > 3


def test_leaves_out_a_column_in_training_and_prediction_alike(tiny_task: Task) -> None:
    request = Request(kind="ablate", idea="leave out one of the parts of np.column_stack (X, X ** 2)")
    text = text_of(OfflineProposer().propose(request, View(tiny_task, [first()], 0, 0)))
    assert ("column_stack([X, ])" in text) == ("column_stack([X_eval, ])" in text)
    assert ("column_stack([X**2])" in text) == ("column_stack([X_eval**2])" in text)


def test_ideas_are_distinct_and_are_followed(tiny_task: Task) -> None:
    view = View(tiny_task, [first()], 3, 0)
    ideas = OfflineProposer().answer(Ask(kind="ideate", count=6), view).texts
    assert len(set(ideas)) == len(ideas) == 6
    more = OfflineProposer().answer(Ask(kind="ideate", count=6, guidance="Not these:\n" + "\n".join(ideas)), view).texts
    assert more
    assert not set(ideas) & set(more)
    proposal = OfflineProposer().propose(Request(kind="improve", idea="I would change RATE from 0.001, I think."), view)
    assert "RATE: 0.001 → " in proposal.description


def test_remarks_tell_the_metric_before_and_after(tiny_task: Task) -> None:
    steps = [first(value=2.0), later(1, SOURCE + "\n", ok(1.5), description="RATE: 0.001 → 0.01")]
    answer = OfflineProposer().answer(Ask(kind="analyse", steps=(1,)), View(tiny_task, steps, 0, 0))
    assert answer.texts == ("Step 1 has height 1.5, from 2: RATE: 0.001 → 0.01.",)
    assert answer.usage == Usage()
    # a strategy takes what comes back from a second thought for the better idea
    assert OfflineProposer().answer(Ask(kind="reflect"), View(tiny_task, steps, 0, 0)).texts == ()


def test_combines_what_two_parents_changed(tiny_task: Task) -> None:
    one = SOURCE.replace("RATE = 0.001", "RATE = 0.1")
    two = SOURCE.replace("max_iter=200", "max_iter=900")
    steps = [first(), later(1, one, ok(0.5)), later(2, two, ok(0.6))]
    proposals = [
        OfflineProposer().propose(Request(kind="combine", parents=(1, 2)), View(tiny_task, steps, 0, moment))
        for moment in range(10)
    ]
    both = [p for p in proposals if "RATE = 0.1 " in text_of(p) and "max_iter=900" in text_of(p)]
    assert len(both) > 5
    assert "took from step 2 its change of answer" in both[0].description


def test_mends_a_failed_step_by_taking_part_of_it_back(tiny_task: Task) -> None:
    broken = SOURCE.replace("RATE = 0.001", "RATE = 1e9").replace("C=1.0", "C=-1.0")
    steps = [first(), later(1, broken, crashed())]
    proposal = OfflineProposer().propose(Request(kind="debug", parents=(1,)), View(tiny_task, steps, 0, 1))
    assert ("RATE = 1e9" in text_of(proposal)) != ("C=-1.0" in text_of(proposal))
    assert proposal.description == "took back 1 of 2 changes of step 1"


def test_a_change_whose_parts_need_each_other_is_taken_back_whole(tiny_task: Task) -> None:
    broken = SOURCE.replace("RATE = 0.001", "RATE = (0.1, ").replace("CENTRE = True", "CENTRE)")
    steps = [first(), later(1, broken, crashed())]
    for moment in range(10):
        proposal = OfflineProposer().propose(Request(kind="debug", parents=(1,)), View(tiny_task, steps, 0, moment))
        ast.parse(text_of(proposal))


def test_begins_again_from_readable_code(tiny_task: Task) -> None:
    steps = [first(), later(1, "def answer(:\n", crashed())]
    proposal = OfflineProposer().propose(Request(kind="improve", parents=(1,)), View(tiny_task, steps, 0, 0))
    ast.parse(text_of(proposal))


def test_code_without_anything_to_edit_is_no_change(tiny_task: Task) -> None:
    proposal = OfflineProposer().propose(
        Request(kind="improve"), View(tiny_task, [first("def answer():\n    return None\n")], 0, 0)
    )
    assert proposal.candidate is None
    assert proposal.failure is not None
    assert proposal.failure.kind == "no_change"


def test_never_proposes_the_same_twice(tiny_task: Task) -> None:
    steps = [first("FLAG = True\n\n\ndef answer():\n    return FLAG\n")]
    kinds = []
    for moment in range(3):
        proposal = OfflineProposer().propose(Request(kind="improve"), View(tiny_task, steps, 0, moment))
        kinds.append(proposal.failure.kind if proposal.failure else "new")
        if proposal.candidate:
            steps.append(later(len(steps), text_of(proposal), ok(1.0), description=proposal.description))
    assert kinds == ["new", "no_change", "no_change"]


def test_edits_every_python_file_of_a_task_and_no_other(tiny_task: Task) -> None:
    files = {"a.py": "ALPHA = 0.1\n", "b.py": "BETA = 0.2\n", "notes.md": "GAMMA = 0.3\n"}
    task = replace(tiny_task, spec=tiny_task.spec.model_copy(update={"defines": {"a.py": ("ALPHA",)}}))
    start = Step(index=0, request=None, candidate=Candidate(files=files), outcome=ok(1.0))
    changed = set()
    for moment in range(20):
        proposal = OfflineProposer().propose(Request(kind="tune"), View(task, [start], 0, moment))
        assert proposal.candidate is not None
        changed |= {path for path, text in proposal.candidate.files.items() if text != files[path]}
    assert changed == {"a.py", "b.py"}


def test_the_fixed_proposer_repeats_or_plays_solutions(tiny_task: Task) -> None:
    view = View(tiny_task, [first()], 0, 0)
    played = FixedProposer().propose(Request(kind="solution", idea="0"), view)
    assert played.candidate == tiny_task.solutions["bottom"]
    for request in (Request(kind="repeat"), Request(kind="solution", idea="1"), Request(kind="solution", idea="x")):
        refused = FixedProposer().propose(request, view)
        assert refused.candidate is None
        assert refused.failure is not None
        assert refused.failure.kind == "no_change"


@pytest.mark.parametrize("seed", [0, 1])
def test_another_seed_or_moment_is_another_edit(tiny_task: Task, seed: int) -> None:
    texts = {
        text_of(OfflineProposer().propose(Request(kind="draft"), View(tiny_task, [first()], seed, moment)))
        for moment in range(10)
    }
    assert len(texts) > 7
