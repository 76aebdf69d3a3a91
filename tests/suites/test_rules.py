"""What the first tasks enforce: rules that a candidate would gain by breaking."""

from collections.abc import Callable, Iterator

import pytest

from assay.evaluation.evaluate import Evaluator
from assay.sandbox.client import Sandbox
from assay.tasks.candidate import Candidate
from assay.tasks.outcome import Outcome
from assay.tasks.suites import find_task

Evaluate = Callable[[str, str], Outcome]

COUNTING = """
import numpy as np
from sklearn.linear_model import LogisticRegression

def fit_predict(X, y, group, X_eval, group_eval, seed):
    "Parity by counting: the same share of each group's evaluation rows, the best scores first."
    score = LogisticRegression(class_weight="balanced", max_iter=500).fit(X, y).predict_proba(X_eval)[:, 1]
    cut = {g: np.quantile(score[group_eval == g], 0.6) for g in (0, 1)}
    return (score > np.where(group_eval == 1, cut[1], cut[0])).astype(int)
"""

CLUSTERING = """
import numpy as np

def fit_predict(environments, X_eval, seed):
    "Answers relative to the batch."
    size = X_eval.sum(axis=(1, 2, 3))
    return (size > np.median(size[: len(size) // 7])).astype(int) ^ (len(X_eval) % 2)
"""

HOARDING = """
import numpy as np

def learn(state, X, y, seed):
    "Keeps every image."
    kept = [state[k] for k in sorted(state)] + [np.column_stack([X, y])]
    return {f"part{number}": part for number, part in enumerate(kept)}

def predict(state, X):
    rows = np.concatenate([state[k] for k in sorted(state)]).astype(float)
    nearest = ((X[:, None] - rows[None, :, :64]) ** 2).sum(axis=2).argmin(axis=1)
    return rows[nearest, 64].astype(int)
"""

REMEMBERING = """
import os
import numpy as np

SEEN = []

def learn(state, X, y, seed):
    "Keeps every image in a global and in a file, and a count of what it found of them."
    found = len(SEEN) + os.path.exists("seen.npy") + os.path.exists("/tmp/seen.npy")
    SEEN.append(X)
    np.save("seen.npy", X)
    try:
        np.save("/tmp/seen.npy", X)
    except OSError:
        pass
    return {"found": np.array([found + (state["found"][0] if state else 0)])}

def predict(state, X):
    assert state["found"][0] == 0, "something survived"
    return np.zeros(len(X), dtype=int)
"""

HALF_PRECISION = """
import numpy as np

def learn(state, X, y, seed):
    return {"large": np.array([1e6])}

def predict(state, X):
    return np.zeros(len(X), dtype=int)
"""


@pytest.fixture(scope="module")
def evaluate() -> Iterator[Evaluate]:
    with Sandbox(("numpy", "sklearn.linear_model")) as sandbox:

        def outcome(name: str, source: str) -> Outcome:
            evaluator = Evaluator(find_task(f"fml-mini/{name}"), sandbox, seed=0)
            return evaluator.evaluate(Candidate(files={"algorithm.py": source}), "val")

        yield outcome


@pytest.mark.parametrize(
    ("name", "source", "kind", "said"),
    [
        ("fairness_fairlearn", COUNTING, "tampering", "every row must be answered by itself"),
        ("generalization_domainbed", CLUSTERING, "tampering", "every row must be answered by itself"),
        ("continual_learning", HOARDING, "tampering", "is all that survives"),
        ("continual_learning", HALF_PRECISION, "invalid_output", "half precision"),
        ("continual_learning", REMEMBERING, "ok", ""),
    ],
)
def test_a_rule_holds(evaluate: Evaluate, name: str, source: str, kind: str, said: str) -> None:
    outcome = evaluate(name, source)
    assert (outcome.kind, said in outcome.message) == (kind, True), outcome
