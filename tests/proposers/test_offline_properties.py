"""What holds for every edit of every source: valid, complete, described, repeatable; and never an exception."""

import ast
import random
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.proposers.base import View
from assay.proposers.mutations.catalogue import estimators
from assay.proposers.mutations.merge import applied, hunks, united
from assay.proposers.mutations.source import Source, Splice, defined_names, read
from assay.proposers.offline import OfflineProposer
from assay.strategies.request import Ask, Request, RequestKind, Step, Usage
from assay.tasks.candidate import Candidate
from assay.tasks.load import Task
from assay.tasks.outcome import Outcome
from assay.tasks.suites import SUITES

PATH = "algorithm.py"
AWKWARD = (
    "x = 1\n",
    f"x = {10**400}\ny = 1e999\nz = 1e308\nw = 5e-324\n",
    "x = 0x1F if True else 1_000; y = 'ünïcödé', 2.5 # naïve → 3\n",
    "class A:\n\tx: float = 1e-9\n\tdef f(self, X, *, k=-3): return X[0:2] ** 2 if k > 1 else 0.5 if X else -1\n",
    'def f(X):\n    """Only words."""\n',
    "def f(X):\n    try:\n        X += 1\n    except* ValueError:\n        pass\n    return X @ X.T / (1 - 0.5)\n",
    "import numpy as np\nasync def f(X, images_eval):\n    async with a as b: await b\n    return np.c_[X, 1, X]\r\n",
    "from sklearn.svm import SVC\nm = [SVC(**k), SVC(0.5, kernel='rbf'), SVC(i for i in x)]\nm[0].fit(X, y)[1:2] = 3\n",
    "for i in range(10):\n    if i < 3: continue\n    print(i); y = i + 1\n    y -= 2; z = y\n",
    "lambda x: (yield)\nf = f'{1 + 2:>{3}}'\nmatch x:\n    case {'a': 1} | [2, *_]:\n        x = 5\n",
    "MODE = 'a'\nif MODE == 'b' or MODE in ('c', 'd'):\n    x = (\n        1.5\n        + 2\n    )",
    "\\\n  \nx = 3 \\\n  + 4.5\n@d(1)\n@e\ndef g(x=1, /, y=2.0, *, z=None): x = 1; return x\n",
)
CODE = st.text(st.characters(codec=None)) | st.text("()[]{}:=+-*x1.\n\t 'if", max_size=60)
KINDS: tuple[RequestKind, ...] = ("draft", "improve", "debug", "combine", "tune", "ablate")


@cache
def sources() -> tuple[str, ...]:
    baselines = [file.read_text() for file in sorted(SUITES.glob("*/*/workspace/*.py"))]
    return (*AWKWARD, *baselines)


def outcome(value: float | None) -> Outcome:
    return Outcome(kind="ok", value=value) if value is not None else Outcome(kind="crashed", blame="agent")


def history(text: str, rng: random.Random, length: int, task: Task) -> list[Step]:
    """A run of the proposer itself, with outcomes by lot."""
    steps = [Step(index=0, request=None, candidate=Candidate(files={PATH: text}), outcome=outcome(1.0))]
    for index in range(1, length + 1):
        parents = tuple(rng.sample(range(index), min(index, rng.choice((1, 2)))))
        request = Request(kind=rng.choice(KINDS), parents=parents)
        proposal = OfflineProposer().propose(request, View(task, steps, 0, index))
        candidate = proposal.candidate or steps[parents[0]].candidate
        result = proposal.failure or outcome(rng.choice((0.5, 1.0, 2.0, None)))
        steps.append(
            Step(index=index, request=request, candidate=candidate, description=proposal.description, outcome=result)
        )
    return steps


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), seed=st.integers(0, 10**6), kind=st.sampled_from(KINDS), length=st.integers(0, 6))
def test_every_proposal_is_valid_complete_described_and_repeatable(
    tiny_task: Task, data: st.DataObject, seed: int, kind: RequestKind, length: int
) -> None:
    text = sources()[data.draw(st.integers(0, len(sources()) - 1))]
    required = tuple(sorted(defined_names(ast.parse(text))))
    task = replace(tiny_task, spec=tiny_task.spec.model_copy(update={"defines": {PATH: required}}))
    steps = history(text, random.Random(seed), length, task)
    parents = tuple(data.draw(st.lists(st.integers(0, length), min_size=1, max_size=3)))
    request, view = Request(kind=kind, parents=parents), View(task, steps, seed, length)
    proposal = OfflineProposer().propose(request, view)
    assert proposal == OfflineProposer().propose(request, view)
    assert proposal.usage == Usage()
    if proposal.candidate is None:
        assert proposal.failure is not None
        assert proposal.failure.kind == "no_change"
        return
    after = proposal.candidate.files[PATH]
    compile(after, PATH, "exec")
    assert set(required) <= defined_names(ast.parse(after))
    assert proposal.description
    assert proposal.candidate.digest not in {step.candidate.digest for step in steps}


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=CODE, kind=st.sampled_from(KINDS), idea=st.text(st.characters(codec=None)))
def test_no_code_whatsoever_makes_it_raise(tiny_task: Task, text: str, kind: RequestKind, idea: str) -> None:
    steps = [Step(index=0, request=None, candidate=Candidate(files={PATH: text}), outcome=outcome(1.0))]
    steps.append(
        Step(index=1, request=Request(kind=kind), candidate=steps[0].candidate, description=idea, outcome=outcome(None))
    )
    view = View(tiny_task, steps, 0, 0)
    OfflineProposer().propose(Request(kind=kind, parents=(1, 0), idea=idea), view)
    OfflineProposer().answer(Ask(kind="ideate", steps=(1,), count=3, memory=idea), view)
    OfflineProposer().answer(Ask(kind="reflect", steps=(1, 7)), view)


@pytest.mark.parametrize("text", ["(" * 3000, "x = " + "-" * 20000 + "1", "\0", "\ufeffx = 1", "x = '\udc80'"])
def test_code_that_breaks_parsers_is_not_read(text: str) -> None:
    assert read(text) is None


@given(st.lists(st.text("ab\n", max_size=4), max_size=8), st.lists(st.text("ab\n", max_size=4), max_size=8))
def test_the_pieces_of_a_change_make_up_the_change(before: list[str], after: list[str]) -> None:
    a, b = "".join(before), "".join(after)
    assert applied(a, hunks(a, b)) == b
    assert applied(a, ()) == a


@given(st.lists(st.sampled_from("abcd"), max_size=8), st.lists(st.sampled_from("abcd"), max_size=8), st.randoms())
def test_united_changes_never_meet(one: list[str], two: list[str], rng: random.Random) -> None:
    base = "a\nb\nc\nd\n"
    kept, taken = united(hunks(base, "\n".join(one)), hunks(base, "\n".join(two)), rng)
    assert not any(h.meets(o) for h in kept for o in taken)


def test_splices_count_in_bytes_where_the_tree_does() -> None:
    source = Source("naïve = '→→→'; x = 1\n")
    node = next(n for n in source.nodes if isinstance(n, ast.Constant) and n.value == 1)
    assert source.segment(node) == "1"
    assert source.spliced([source.replace(node, "2"), Splice(0, 0, "# é\n")]) == "# é\nnaïve = '→→→'; x = 2\n"


def test_every_value_of_the_catalogue_is_one_that_scikit_learn_takes() -> None:
    from importlib import import_module

    found = estimators()
    assert len(found) > 80
    assert found["LogisticRegression"].arguments["class_weight"].values == ("'balanced'",)
    for estimator in found.values():
        kind = getattr(import_module(estimator.module), estimator.name)
        for argument in estimator.arguments.values():
            for value in argument.values:
                kind(**{argument.name: ast.literal_eval(value)})._validate_params()
