"""Budgets and borders that the privacy, representation and robustness tasks enforce on the trusted side."""

from collections.abc import Callable, Iterator

import pytest

from assay.evaluation.evaluate import Evaluator
from assay.sandbox.client import Sandbox
from assay.tasks.candidate import Candidate
from assay.tasks.outcome import Outcome
from assay.tasks.suites import find_task

Evaluate = Callable[[str, str], Outcome]

LEARNT_FEATURES = """
import numpy as np

def features(X):
    "Centred by the private rows themselves."
    return np.column_stack([X - X.mean(axis=0), np.ones(len(X))])
"""

MORE_BUDGET = """
    settings["epsilon"] = 100.0
    return settings
"""

NO_GRADIENT = """
import numpy as np

def config():
    zeros = dict.fromkeys(["learning_rate", "weight_decay", "noise", "mask"], 0.0)
    return {{"steps": {steps}, "batch_size": 8, "outputs": 2, "decay": "constant", **zeros}}

def loss_and_grad(z1, z2):
    return 0.0, np.zeros_like(z1), np.zeros_like(z2)
"""

OVERWRITTEN_TRAINING = """
from pathlib import Path

Path("training.py").write_text('''
import numpy as np

def train(views, config, seed, output_gradients):
    print("no training here")
    for step in range(config["steps"]):
        output_gradients(step, np.zeros((8, 2)), np.zeros((8, 2)))
''')
"""

RANKED_SCORE = """
import numpy as np

def fit(X, y, seed):
    return X.mean(axis=0)

def score(state, X):
    "A rank within the batch."
    distance = ((X - state) ** 2).sum(axis=1)
    return -np.argsort(np.argsort(distance)).astype(float)

def predict(state, X):
    return np.zeros(len(X), dtype=int)
"""

DESTROYED = """
import numpy as np

def unlearn(weights, forget_X, forget_y, retain_X, retain_y, seed):
    "Forgets everything."
    return [np.zeros_like(w) for w in weights]
"""


@pytest.fixture(scope="module")
def evaluate() -> Iterator[Evaluate]:
    preload = find_task("fml-mini/privacy_opacus").spec.preload
    with Sandbox(preload) as sandbox:

        def call(name: str, source: str) -> Outcome:
            task = find_task(f"fml-mini/{name}")
            return Evaluator(task, sandbox, seed=0).evaluate(Candidate(files={"algorithm.py": source}), "val")

        yield call


def baseline(name: str) -> str:
    return find_task(f"fml-mini/{name}").baseline.files["algorithm.py"]


def test_features_learnt_from_private_rows_are_tampering(evaluate: Evaluate) -> None:
    start, _, rest = baseline("privacy_opacus").partition("def features")
    source = start + LEARNT_FEATURES + "\n\ndef config" + rest.partition("def config")[2]
    assert evaluate("privacy_opacus", source).kind == "tampering"


def test_there_is_no_privacy_budget_to_edit(evaluate: Evaluate) -> None:
    source = baseline("privacy_opacus").replace("    return {\n", "    settings = {\n") + MORE_BUDGET
    outcome = evaluate("privacy_opacus", source)
    assert outcome.kind == "invalid_output"
    assert "exactly these keys" in outcome.message


def test_more_updates_than_allowed_are_refused(evaluate: Evaluate) -> None:
    outcome = evaluate("representation_solo_learn", NO_GRADIENT.format(steps=301))
    assert outcome.kind == "invalid_output"
    assert "steps must be a whole number 1 … 300" in outcome.message


def test_a_training_replaced_in_the_sandbox_changes_nothing_that_is_graded(evaluate: Evaluate) -> None:
    honest = evaluate("representation_solo_learn", NO_GRADIENT.format(steps=3))
    cheating = evaluate("representation_solo_learn", OVERWRITTEN_TRAINING + NO_GRADIENT.format(steps=3))
    assert "no training here" in cheating.log_tail
    assert honest.ok
    assert cheating.value == honest.value


def test_a_score_that_needs_the_batch_is_tampering(evaluate: Evaluate) -> None:
    assert evaluate("robustness_openood", RANKED_SCORE).kind == "tampering"


def test_forgetting_everything_breaks_the_utility_constraint(evaluate: Evaluate) -> None:
    assert evaluate("unlearning_open_unlearning", DESTROYED).kind == "constraint"
