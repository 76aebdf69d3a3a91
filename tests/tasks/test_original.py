"""A task folder of MLAgentBench, unchanged, through the real sandbox."""

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError, UsageError
from assay.evaluation.check import check_task
from assay.evaluation.evaluate import Evaluator
from assay.sandbox.client import Sandbox
from assay.tasks.candidate import Candidate
from assay.tasks.original import folder as folder_module
from assay.tasks.original.folder import matches
from assay.tasks.outcome import Outcome
from assay.tasks.suites import find_task, select_tasks

STARTER = """\
import csv

prices = [float(row["SalePrice"]) for row in csv.DictReader(open("train.csv"))]
with open("submission.csv", "w") as file:
    file.write("Id,SalePrice\\n")
    for row in csv.DictReader(open("test.csv")):
        file.write(f"{row['Id']},{min(prices)}\\n")
"""
EVALUATOR = """\
import csv
import os

from checks import same_length

print("the answers are 150 and 250")


def get_score(submission_folder):
    here = os.path.dirname(__file__)
    answers = list(csv.DictReader(open(os.path.join(here, "answer.csv"))))
    told = list(csv.DictReader(open(os.path.join(submission_folder, "submission.csv"))))
    same_length(answers, told)
    assert os.path.isfile("../env/data_description.txt") and os.path.isfile("answer.csv")
    return sum(abs(float(a["SalePrice"]) - float(t["SalePrice"])) for a, t in zip(answers, told)) / len(answers)
"""
HOUSES = {
    "env/train.py": STARTER,
    "env/helper.py": "FACTOR = 1\n",
    "env/data_description.txt": "SalePrice: dollars\n",
    "env/train.csv": "Id,SalePrice\n1,100\n2,200\n3,300\n",
    "env/test.csv": "Id\n4\n5\n",
    "env/data/locked.py": "SECRET = 1\n",
    "scripts/research_problem.txt": "Predict the prices of houses.\n",
    "scripts/read_only_files.txt": "./train.csv\ntest.csv\ndata/*\n",
    "scripts/prepare.py": "raise SystemExit('no network')\n",
    "scripts/prepared": "success",
    "scripts/eval.py": EVALUATOR,
    "scripts/checks.py": "def same_length(a, b):\n    assert len(a) == len(b), 'a row is missing'\n",
    "scripts/answer.csv": "Id,SalePrice\n4,150\n5,250\n",
}
PICKLED = {
    "env/train.py": "import json\njson.dump([1.0, 2.0], open('model.json', 'w'))\n",
    "scripts/eval.py": """\
import os, pickle, json

def get_score(folder):
    file = os.path.join(folder, "model.pkl")
    if os.path.exists(file):
        return pickle.load(open(file, "rb"))
    return sum(json.load(open(os.path.join(folder, "model.json"))))
""",
    "assay.toml": '[metric]\nname = "total"\ndirection = "max"\nbest = 10.0\n[limits]\nseconds = 20\nmemory_mb = 512\n',
}


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture
def houses(tmp_path: Path) -> Path:
    return write(tmp_path / "house-price", HOUSES)


def evaluated(folder: Path, sandbox: Sandbox, changed: str, **files: str) -> Outcome:
    task = find_task(str(folder))
    candidate = Candidate(files={**task.baseline.files, "train.py": changed, **files})
    return Evaluator(task, sandbox, seed=0).evaluate(candidate, "test")


def test_a_folder_is_a_task(houses: Path) -> None:
    task = find_task(str(houses))
    assert task.id == "mlagentbench/house-price"
    assert task.spec.editable == ("helper.py", "train.py")
    assert task.spec.metric.direction == "min"
    assert task.fixed_files == {
        path.removeprefix("env/"): text
        for path, text in HOUSES.items()
        if path.startswith("env/") and not path.endswith(("train.py", "helper.py"))
    }
    assert task.prompt.startswith("Predict the prices of houses.")
    assert "train.py" in task.prompt and "mean_absolute_error" in task.prompt
    assert not task.spec.feedback


def test_the_baseline_and_a_better_candidate_are_scored(houses: Path, sandbox: Sandbox) -> None:
    baseline = Evaluator(find_task(str(houses)), sandbox, seed=0).baseline("val")
    assert (baseline.kind, baseline.value) == ("ok", 100.0), baseline
    assert "the answers" not in baseline.log_tail
    better = evaluated(houses, sandbox, STARTER.replace("min(prices)", "sum(prices) / len(prices)"))
    assert (better.kind, better.value) == ("ok", 50.0)


def test_large_and_binary_files_are_there_for_the_script(
    houses: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    (houses / "env" / "data" / "image.bin").write_bytes(bytes(range(256)))
    (houses / "env" / "data" / "long.txt").write_text("x" * 200_000)
    reads = (
        "assert len(open('data/image.bin', 'rb').read()) == 256\nassert len(open('data/long.txt').read()) == 200_000\n"
    )
    changed = STARTER + reads
    assert evaluated(houses, sandbox, changed).ok
    monkeypatch.setattr(folder_module, "FOLDER_MB", 0.1)
    with pytest.raises(UsageError, match=r"may have 0\.1 MB"):
        select_tasks(str(houses))


@pytest.mark.parametrize("path", ["train.csv", "./train.csv", "data/locked.py", "data//locked.py"])
def test_a_changed_read_only_file_is_tampering(houses: Path, sandbox: Sandbox, path: str) -> None:
    outcome = evaluated(houses, sandbox, STARTER + f"open({path!r}, 'a').write('#')\n")
    assert outcome.kind == "tampering"
    assert "read-only file" in outcome.message


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ("import os; os.remove('submission.csv')", "No such file or directory: '/submission/submission.csv'"),
        (
            "import os; os.remove('submission.csv'); os.symlink('../scripts/answer.csv', 'submission.csv')",
            "No such file",
        ),
        ("open('submission.csv', 'w').write('Id,SalePrice\\n4,1\\n')", "a row is missing"),
        ("open('submission.csv', 'w').write('Id,SalePrice\\n4,nan\\n5,nan\\n')", "no finite number"),
    ],
)
def test_what_the_evaluator_refuses_is_the_candidates_fault(
    houses: Path, sandbox: Sandbox, after: str, said: str
) -> None:
    outcome = evaluated(houses, sandbox, STARTER + after + "\n")
    assert (outcome.kind, outcome.blame) == ("invalid_output", "agent"), outcome
    assert said in outcome.message


def test_the_candidates_process_has_no_answers(houses: Path, sandbox: Sandbox) -> None:
    looks = "import os\nassert not [n for _, _, ns in os.walk('/') for n in ns if n == 'answer.csv']\n"
    assert evaluated(houses, sandbox, looks + STARTER).ok


def test_modules_that_a_candidate_leaves_are_not_what_the_evaluator_imports(houses: Path, sandbox: Sandbox) -> None:
    fake = (
        "for name in ('csv.py', 'checks.py', 'eval.py'):\n    open(name, 'w').write('get_score = lambda folder: 0.0')\n"
    )
    outcome = evaluated(houses, sandbox, STARTER + fake)
    assert (outcome.kind, outcome.value) == ("ok", 100.0)


def test_a_missing_package_is_named(houses: Path, sandbox: Sandbox) -> None:
    outcome = evaluated(houses, sandbox, "import no_such_package\n")
    assert (outcome.kind, outcome.blame) == ("crashed", "agent")
    assert "no_such_package" in outcome.message and "packages of the Python that runs Assay" in outcome.message
    (houses / "scripts" / "eval.py").write_text("import no_such_package\n")
    outcome = evaluated(houses, sandbox, STARTER)
    assert (outcome.kind, outcome.blame) == ("crashed", "task")
    assert "needs the package 'no_such_package'" in outcome.message


class Hostile:
    """Runs code where it is unpickled."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[Callable[..., object], tuple[str]]:
        return exec, (f"open({str(self.file)!r}, 'w').write('reached')",)


def test_an_evaluator_that_unpickles_does_so_in_the_sandbox(tmp_path: Path, sandbox: Sandbox) -> None:
    folder = write(tmp_path / "pickles", PICKLED)
    assert Evaluator(find_task(str(folder)), sandbox, seed=0).baseline("test").value == 3.0
    reached = tmp_path / "reached"
    outcome = evaluated(folder, sandbox, f"open('model.pkl', 'wb').write({pickle.dumps(Hostile(reached))!r})\n")
    assert (outcome.kind, outcome.blame) == ("invalid_output", "agent")
    assert not reached.exists()
    # the limit of this form of task: what such an evaluator says is the candidate's word
    claimed = evaluated(folder, sandbox, "import pickle\npickle.dump(9.5, open('model.pkl', 'wb'))\n")
    assert claimed.value == 9.5


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"scripts/prepared": None}, "was not prepared"),
        ({"scripts/eval.py": None}, "eval.py is missing"),
        ({"env/train.py": None}, "has no train.py"),
        ({"assay.toml": "steps = 3\n"}, "key 'steps'"),
        ({"assay.toml": 'editable = ["other.py"]\n'}, "has no text other.py"),
    ],
)
def test_a_folder_that_cannot_be_measured_says_why(houses: Path, change: dict[str, str | None], said: str) -> None:
    for name, text in change.items():
        (houses / name).unlink() if text is None else (houses / name).write_text(text)
    with pytest.raises(UsageError) as caught:
        select_tasks(str(houses))
    assert said in caught.value.message
    assert caught.value.hint


def test_a_folder_of_another_name_must_say_its_metric(tmp_path: Path) -> None:
    folder = write(tmp_path / "mine", HOUSES)
    with pytest.raises(UsageError) as caught:
        find_task(str(folder))
    assert "assay.toml" in caught.value.hint and "direction" in caught.value.hint


def test_it_runs_from_the_command_line(
    houses: Path, assay: Callable[..., CompletedProcess[str]], tmp_path: Path
) -> None:
    done = assay("run", "--agent", "trivial", "--task", houses, "--steps", "1", "--out", "results")
    assert done.returncode == 0, done.stderr
    shown = assay("evaluate", houses, houses / "env", "--split", "test", "--json")
    assert json.loads(shown.stdout)["value"] == 100.0


def test_there_is_nothing_to_reproduce(houses: Path, sandbox: Sandbox) -> None:
    with pytest.raises(AssayError, match="was never frozen"):
        check_task(find_task(str(houses)), sandbox, quick=True)


def test_the_example_in_the_docs_is_what_a_folder_may_say(houses: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "mlab.md"
    example = page.read_text().partition("```toml\n")[2].partition("```")[0]
    (houses / "assay.toml").write_text(example)
    spec = find_task(str(houses)).spec
    assert (spec.metric.name, spec.editable, spec.limits.output_mb) == ("accuracy", ("train.py",), 256)


def test_patterns_mean_what_they_say() -> None:
    assert matches("train.csv", ["./train.csv"]) and matches("train.csv", ["train.csv"])
    assert matches("data/x", ["data/*"]) and matches("data/a/b", ["data/*"]) and matches("data/a/b", ["./data//*"])
    assert matches("data/a", ["data"]) and matches("data/a", ["data/"])
    assert not matches("old/train.csv", ["./train.csv"]) and not matches("train.csv.bak", ["train.csv"])
    assert not matches("database", ["data/*"]) and not matches("train.csv", ["", "  "])


names = st.lists(st.text("abc._-", min_size=1).filter(lambda n: n not in (".", "..")), min_size=1, max_size=4)


@given(names)
def test_every_spelling_of_a_path_is_the_same_pattern(parts: list[str]) -> None:
    path = "/".join(parts)
    for spelling in (path, f"./{path}", "//".join(parts).lstrip("/"), f" {path} ", "/./".join(parts)):
        assert matches(path, [spelling])
        assert matches(f"{path}/below", [spelling])
        assert not matches(f"{path}x", [spelling])
