"""The variants of MLAgentBench's tasks: success can be had by a known solution, and not by breaking the format.

That starters reproduce and that degenerate answers gain nothing is looked at in test_tasks.py, as for every suite.
"""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.evaluation.evaluate import Evaluator
from assay.evaluation.noise import beats
from assay.sandbox.client import Sandbox
from assay.scoring.scores import load_scores
from assay.tasks.candidate import Candidate
from assay.tasks.load import Task
from assay.tasks.suites import find_task, suites

SUCCESS = 0.10
"""MLAgentBench counts a run as a success when it is this much better than the baseline, as a share of the baseline."""

REFERENCE = {
    "citation-sbm": "spread_labels",
    "citelink": "all_rules",
    "conv-speed": "windows",
    "decode-speed": "cached",
    "digits-shift": "aligned_svm",
    "essay-six": "measured_essays",
    "house-synth": "ridge_on_logs",
    "litsearch": "latent_topics",
    "negation-sentiment": "joined_negation",
    "pcfg-lm": "back_off",
    "progression-synth": "ridge_on_proteins",
    "semiring-paths": "learned_exponent",
    "spaceship-synth": "logistic_on_logs",
    "streaks": "line_filters",
    "strip-ood": "cells_svm",
}
"""The quick one of the two or three good solutions of each task."""

WRITE = """
import csv
import numpy as np
from pathlib import Path

if Path("test.npz").exists():
    ids = np.load("test.npz")["id"].tolist()
else:
    with Path("test.csv").open(newline="") as file:
        ids = [row["id"] for row in csv.DictReader(file)]
with Path("submission.csv").open("w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow({head!r})
    writer.writerows([id, *{fields!r}] for id in ids)
"""

CLASSES = [f"c{k}" for k in range(10)]
SKILLS = ["cohesion", "syntax", "vocabulary", "phraseology", "grammar", "conventions"]


@pytest.mark.parametrize("name", suites()["mlab-mini"].tasks)
def test_a_known_solution_succeeds_as_mlagentbench_counts_it(name: str, warm: Callable[[Task], Sandbox]) -> None:
    task = find_task(name)
    solution = task.solutions[REFERENCE[name.partition("/")[2]]]
    end = Evaluator(task, warm(task), seed=0).evaluate(solution, "test")
    assert end.value is not None, end
    baseline = task.spec.baseline.test
    change = (end.value - baseline) / baseline
    assert (change if task.spec.metric.direction == "max" else -change) >= SUCCESS
    assert beats(task, "test", end.value, baseline)


@pytest.mark.parametrize(
    ("name", "columns", "fields", "said"),
    [
        ("digits-shift", CLASSES, [1] * 10, "id '1000': c0 … c9 must be probabilities that sum to 1"),
        ("negation-sentiment", ["positive"], [1.5], "id '2000': positive must be a probability, 0 … 1"),
        ("citation-sbm", ["label"], ["8"], "id '1200': label '8' is not one of 0 … 7"),
        ("house-synth", ["price"], ["inf"], "column 'price', row 1: 'inf' is not a finite number"),
        ("house-synth", ["cost"], [1], "no column 'price'; it has: id, cost"),
        ("spaceship-synth", ["transported"], ["yes"], "transported is 'yes', must be True or False"),
        ("progression-synth", ["rating"], [-1], "a rating cannot be negative"),
        ("strip-ood", ["categories", "osd"], ["1 1", 0.5], "id '1500': categories must be 1 to 5 different digits"),
        ("strip-ood", ["categories", "osd"], ["[1.0, 2.0]", 0.5], "must be digits 0 … 9 and spaces"),
        ("strip-ood", ["categories", "osd"], ["0", "high"], "'high' is not a finite number"),
        ("essay-six", SKILLS, [3, 3, 3, 3, 3, ""], "column 'conventions', row 1: '' is not a finite number"),
    ],
)
def test_a_submission_that_is_none_is_refused_with_the_row_and_the_reason(
    name: str, columns: list[str], fields: list[object], said: str, warm: Callable[[Task], Sandbox]
) -> None:
    task = find_task(f"mlab-mini/{name}")
    script = Candidate(files={"train.py": WRITE.format(head=["id", *columns], fields=fields)})
    end = Evaluator(task, warm(task), seed=0).evaluate(script, "val")
    assert (end.kind, end.blame) == ("invalid_output", "agent"), end
    assert said in end.message


def test_the_order_of_rows_is_free(warm: Callable[[Task], Sandbox]) -> None:
    task = find_task("mlab-mini/house-synth")
    source = task.solutions["ridge_on_logs"].files["train.py"]
    straight = 'writer.writerows([house["id"], f"{price:.2f}"] for house, price in zip(test, answers, strict=True))'
    assert straight in source
    turned = source.replace(straight, straight.replace("zip(", "list(zip(").replace("True))", "True))[::-1])"))
    evaluator = Evaluator(task, warm(task), seed=0)
    ends = [evaluator.evaluate(Candidate(files={"train.py": text}), "val") for text in (source, turned)]
    assert ends[0].ok
    assert ends[0].value == ends[1].value


def test_to_run_the_starter_and_submit_it_gains_nothing_anywhere(
    assay: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    done = assay("run", "--agent", "trivial", "--task", "mlab-mini", "--jobs", 2)
    assert done.returncode == 0, done.stderr
    runs = load_scores(tmp_path / "results").finished
    assert sorted(run.task for run in runs) == sorted(suites()["mlab-mini"].tasks)
    assert [(run.score, run.within_noise) for run in runs] == [(0.0, True)] * len(runs)
