"""The tasks of the suite mlab on tiny files in the form of the originals: set up, starter, a better candidate."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from assay.evaluation.evaluate import Evaluator
from assay.evaluation.setup import set_up
from assay.evaluation.statement import statement_row
from assay.sandbox.client import Sandbox
from assay.tasks.candidate import Candidate
from assay.tasks.grader import InvalidOutput
from assay.tasks.installed import DATA_VARIABLE, Installed
from assay.tasks.load import Task
from assay.tasks.mlab.arrays import array_of, as_npy
from assay.tasks.outcome import Outcome, Split
from assay.tasks.suites import find_task, suites

from .mlab_originals import ORIGINALS

Edit = tuple[str, str] | str
"""What to replace in the starter by what, or a whole script."""

WRITE = """
with open("submission.csv", "w") as file:
    file.write("id,{column}\\n" + "".join(f"{{a}},{{b}}\\n" for a, b in rows))
"""
BETTER: dict[str, Edit] = {
    "house-price": ('"LotArea"', '"GrLivArea"'),
    "spaceship-titanic": ('"HomePlanet"', '"CryoSleep"'),
    "feedback": ("np.log1p(len(w))", 'row["full_text"].count("indeed")'),
    "amp-parkinsons-disease-progression-prediction": """
import csv
level = {row["visit_id"]: row["NPX"] for row in csv.DictReader(open("test_proteins.csv"))}
rows = [(row["id"], level[row["visit_id"]]) for row in csv.DictReader(open("test.csv"))]
"""
    + WRITE.format(column="rating"),
    "imdb": ("WORDS = 200", "WORDS = 2000"),
    "cifar10": "import numpy as np\nrows = enumerate(np.load('test_images.npy')[:, 0, 0, 0] // 20)\n"
    + WRITE.format(column="label"),
    "ogbn-arxiv": """
import numpy as np
known = dict(zip(np.load("train_ids.npy"), np.load("train_labels.npy")))
cited = dict(np.load("edges.npy"))
rows = [(paper, known[cited[paper]]) for paper in np.load("test_ids.npy")]
"""
    + WRITE.format(column="label"),
    "identify-contrails": ("THRESHOLD = 0.5", "THRESHOLD = 0.9"),
    "babylm": """
import numpy as np
from pathlib import Path
text = Path("train/cbt.train").read_bytes()
contexts = np.load("contexts.npy")
table = np.full((len(contexts), 256), 1e-3)
for row, context in zip(table, contexts):
    after = [text[n + 3] for n in range(2000) if text[n : n + 3] == context[-3:].tobytes()]
    np.add.at(row, after, 1.0)
np.save("probabilities.npy", table / table.sum(axis=1, keepdims=True))
""",
    "llama-inference": (
        "score = np.array([query @ keys[s] / np.sqrt(SIZE) for s in range(t + 1)])",
        "if t + 1 < len(x):\n                continue\n            score = np.array(keys) @ query / np.sqrt(SIZE)",
    ),
}
DEGENERATE = {
    "nothing": "",
    "an empty file": "open('{leaves}', 'w').close()",
    "a header": "open('{leaves}', 'w').write('id,SalePrice,label,rating,categories,encoded_pixels\\n')",
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(find_task("mlab/house-price").spec.preload) as opened:
        yield opened


@pytest.fixture(scope="module", params=ORIGINALS)
def ready(
    request: pytest.FixtureRequest, sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Task, Path]]:
    """Each task, set up from its originals."""
    name = request.param
    if name == "fathomnet":
        pytest.importorskip("PIL", reason="reading photographs needs pillow")
    root = tmp_path_factory.mktemp("originals") / name
    ORIGINALS[name](root)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(DATA_VARIABLE, str(root.parent / "data"))
        set_up(find_task(f"mlab/{name}"), sandbox, root)
        yield find_task(f"mlab/{name}"), root


def evaluated(task: Task, sandbox: Sandbox, source: str, split: Split = "test") -> Outcome:
    candidate = Candidate(files={**task.baseline.files, "train.py": source})
    return Evaluator(task, sandbox, seed=0).evaluate(candidate, split)


def edited(task: Task, edit: Edit) -> str:
    if isinstance(edit, str):
        return edit
    assert edit[0] in task.baseline.files["train.py"]
    return task.baseline.files["train.py"].replace(*edit)


def test_the_suite_has_the_thirteen_tasks_of_the_paper() -> None:
    names = {name.partition("/")[2] for name in suites()["mlab"].tasks}
    assert names == {*ORIGINALS, "clrs", "vectorization"}
    for name in suites()["mlab"].tasks:
        report = statement_row(find_task(name))
        assert report.passed, f"{name}: {report.detail}"


def test_the_starter_runs_a_better_candidate_beats_it_and_an_empty_one_is_refused(
    ready: tuple[Task, Path], sandbox: Sandbox
) -> None:
    task, _ = ready
    assert task.spec.frozen is not None
    name = task.id.partition("/")[2]
    if name in BETTER:
        better = evaluated(task, sandbox, edited(task, BETTER[name]))
        assert better.ok, better
        assert better.value is not None
        assert task.spec.metric.improvement(better.value, task.spec.baseline.test) > 0.05, (better, task.spec.baseline)
    assert task.spec.script
    for what, source in DEGENERATE.items():
        outcome = evaluated(task, sandbox, source.format(leaves=task.spec.script.leaves[0]))
        assert (outcome.kind, outcome.blame) == ("invalid_output", "agent"), (what, outcome)


def test_what_a_candidate_gets_holds_no_answers(ready: tuple[Task, Path]) -> None:
    task, _ = ready
    val, test = (Installed(task.id).inputs(split) for split in ("val", "test"))
    assert val.keys() == test.keys()
    shared = {path for path in val if val[path] == test[path]}
    assert shared, "training data is the same on both splits"
    assert shared != set(val), "what is asked differs"
    if "test.csv" in val and "train.csv" in val:
        told = {path: val[path].decode().splitlines()[0].split(",") for path in ("train.csv", "test.csv")}
        targets = set(Installed(task.id).answers("val").decode().splitlines()[0].split(",")) - {"id"}
        assert not targets & set(told["test.csv"])
        ids = [
            {row.partition(",")[0] for row in data.decode().splitlines()[1:]}
            for data in (val["train.csv"], val["test.csv"], test["test.csv"])
        ]
        if task.id != "mlab/feedback":  # its texts have lines of their own, and imdb numbers each part anew
            assert not ids[1] & ids[2]


def test_the_same_originals_give_the_same_data(ready: tuple[Task, Path], sandbox: Sandbox) -> None:
    task, root = ready
    before, digest = Installed(task.id).receipt.read_bytes(), task.digest
    if task.spec.timed:
        return  # measured for minutes; its files are arranged by the same functions
    set_up(task, sandbox, root)
    assert Installed(task.id).receipt.read_bytes() == before
    assert find_task(task.id).digest == digest


def test_weights_for_the_network_of_clrs_are_checked(sandbox: Sandbox) -> None:
    task = find_task("mlab/clrs")
    for text, said in (("{}", "expected an object"), ("[", "not JSON"), ('{"rounds": 1e999}', "expected an object")):
        outcome = evaluated(task, sandbox, f"open('model.json', 'w').write({text!r})\n")
        assert outcome.kind == "invalid_output" and said in outcome.message, outcome
    source = task.baseline.files["train.py"]
    for old, new, said in (
        ('"rounds": 0', '"rounds": 9', "rounds must be a whole number"),
        ("np.eye(3).tolist(), [0.0", "np.eye(40).tolist(), [0.0", "does not fit"),
        ("[1.0, -1.0]", "[float('nan'), 1.0]", "finite"),
    ):
        outcome = evaluated(task, sandbox, source.replace(old, new))
        assert outcome.kind == "invalid_output" and said in outcome.message, outcome
    compiled = Evaluator(task, sandbox, seed=0).evaluate(task.solutions["compiled"], "val")
    assert compiled.value == 1.0


def test_arrays_that_a_script_leaves_are_read_strictly() -> None:
    good = as_npy(np.arange(6.0).reshape(2, 3))

    def read(data: bytes) -> object:
        return array_of({"a.npy": np.frombuffer(data, np.uint8)}, "a.npy", (2, 3))

    assert np.array_equal(read(good), np.arange(6.0).reshape(2, 3))  # type: ignore[arg-type]
    objects = as_npy(np.arange(6.0).reshape(2, 3)).replace(b"<f8", b"|O8")
    huge = good.replace(b"(2, 3)", b"(9" + b"9" * 3 + b",)")
    for bad in (
        b"",
        b"PK\x03\x04",
        good[:-1],
        good[:20],
        objects,
        huge,
        as_npy(np.full((2, 3), np.nan)),
        as_npy(np.ones(6)),
    ):
        with pytest.raises(InvalidOutput):
            read(bad)
    with pytest.raises(InvalidOutput, match="left no file"):
        array_of({}, "a.npy", (2, 3))
