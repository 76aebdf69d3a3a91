"""From journals to summaries: what a run says, what damage does, and what is remembered."""

import json
import os
from pathlib import Path
from types import ModuleType

import pytest

from assay.embedding.tokens import Tokens
from assay.errors import UsageError
from assay.models.usage import Usage
from assay.scoring.exploring import MEAN
from assay.scoring.scores import Scores, load_scores
from assay.scoring.summary import RunSummary
from assay.tasks.spec import Metric, Noise


def only(results: Path) -> RunSummary:
    (run,) = load_scores(results).runs
    return run


def test_a_run_worked_by_hand(tmp_path: Path, journals: ModuleType) -> None:
    step = journals.Step
    spent = Usage(calls=2, input_tokens=900, output_tokens=100, usd=0.25)
    steps = [
        step(0.4, usage=spent, seconds=360.0),
        step(None, "crashed", usage=spent, seconds=360.0),
        step(0.7, usage=spent, seconds=720.0, parent=1),
        step(None, "constraint"),
    ]
    noise = Noise(seeds=20, val_sd=0.1, test_sd=0.02)
    journals.write_run(tmp_path, journals.Run(steps=steps, baseline_test=0.55, test=0.65, noise=noise))
    run = only(tmp_path)
    assert (run.best_step, run.best_val, run.test_value) == (3, 0.7, 0.65)
    assert run.improvement_val == pytest.approx(0.2)
    assert run.improvement_test == pytest.approx(0.1)
    assert run.score == run.improvement_test
    assert run.note == "ok"
    assert run.sigmas == pytest.approx(5.0)
    assert run.within_noise is False
    assert (run.calls, run.tokens, run.usd) == (6, 3000, 0.75)
    assert run.hours == pytest.approx(1441 / 3600)
    assert run.kinds == {"ok": 2, "crashed": 1, "constraint": 1}
    assert run.steps.curve.tolist() == pytest.approx([0.0, 0.0, 0.2, 0.2])
    assert run.steps.tokens.tolist() == [1000, 2000, 3000, 3000]
    assert run.steps.parent.tolist() == [0, 0, 1, 0]
    assert run.budget == 10


def test_a_gain_inside_two_sigma_is_marked(tmp_path: Path, journals: ModuleType) -> None:
    noise = Noise(seeds=20, val_sd=0.1, test_sd=0.06)
    journals.write_run(tmp_path, journals.Run(steps=[journals.Step(0.7)], test=0.6, noise=noise))
    assert only(tmp_path).within_noise is True


@pytest.mark.parametrize(
    ("metric", "baseline", "value", "improvement"),
    [
        (Metric(name="m", direction="max", best=1.0, worst=0.0), 0.6, 0.8, 0.2),
        (Metric(name="m", direction="min", best=0.0, worst=0.5), 0.3, 0.2, 0.2),
        (Metric(name="m", direction="min", best=0.0, worst="baseline"), 72.0, 18.0, 0.75),
        (Metric(name="m", direction="max", best=0.0, worst="baseline", transform="neg_log10"), 1e-100, 1e-25, 0.75),
    ],
)
def test_normalised_improvement(
    tmp_path: Path, journals: ModuleType, metric: Metric, baseline: float, value: float, improvement: float
) -> None:
    run = journals.Run(
        metric=metric, baseline_val=baseline, baseline_test=baseline, steps=[journals.Step(value)], test=value
    )
    journals.write_run(tmp_path, run)
    assert only(tmp_path).score == pytest.approx(improvement)
    assert only(tmp_path).improvement_val == pytest.approx(improvement)


@pytest.mark.parametrize(
    ("steps", "kind", "note"),
    [
        ([0.7], "constraint", "constraint → baseline"),
        ([0.7], "crashed", "crashed → baseline"),
        ([0.2], "ok", "no step beat the baseline"),
        ([], "ok", "no step beat the baseline"),
        ([None], "ok", "no step beat the baseline"),
    ],
)
def test_no_gain_has_its_reason(
    tmp_path: Path, journals: ModuleType, steps: list[float | None], kind: str, note: str
) -> None:
    made = [journals.Step(value, "ok" if value is not None else "crashed") for value in steps]
    journals.write_run(tmp_path, journals.Run(steps=made, test=0.9, test_kind=kind))
    run = only(tmp_path)
    assert run.score == 0.0
    assert run.note == note


def test_a_loss_on_test_scores_nothing_but_is_remembered(tmp_path: Path, journals: ModuleType) -> None:
    journals.write_run(tmp_path, journals.Run(steps=[journals.Step(0.7)], test=0.4))
    run = only(tmp_path)
    assert run.score == 0.0
    assert run.improvement_test == pytest.approx(-0.1)


def damaged(scores: Scores) -> dict[str, str]:
    return {damage.run_id: damage.message for damage in scores.damaged}


@pytest.fixture
def healthy_and_sick(tmp_path: Path, journals: ModuleType) -> tuple[Path, Path]:
    """A results folder with one healthy run, and the folder of another that a test may damage."""
    for seed in (0, 1):
        folder = journals.write_run(tmp_path, journals.Run(seed=seed, steps=[journals.Step(0.7)], test=0.6))
    return tmp_path, folder


def cut_last_line(folder: Path) -> None:
    events = folder / "events.jsonl"
    events.write_bytes(events.read_bytes()[:-20])


def add_unknown_event(folder: Path) -> None:
    with (folder / "events.jsonl").open("a") as file:
        file.write('{"type": "daydreamed", "clock": {"at": 1}}\n')


def change_version(folder: Path) -> None:
    header = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps(header | {"schema_version": 99}))


def break_a_line(folder: Path) -> None:
    lines = (folder / "events.jsonl").read_text().splitlines(keepends=True)
    (folder / "events.jsonl").write_text("".join([lines[0], lines[1][:30] + "\n", *lines[2:]]))


def drop_a_line(folder: Path) -> None:
    lines = (folder / "events.jsonl").read_text().splitlines(keepends=True)
    (folder / "events.jsonl").write_text("".join(lines[1:]))


def lose_the_header(folder: Path) -> None:
    (folder / "run.json").unlink()


def say_more_after_the_end(folder: Path) -> None:
    lines = (folder / "events.jsonl").read_text().splitlines(keepends=True)
    (folder / "events.jsonl").write_text("".join([*lines, lines[-1]]))


@pytest.mark.parametrize(
    "harm",
    [
        cut_last_line,
        add_unknown_event,
        change_version,
        break_a_line,
        drop_a_line,
        lose_the_header,
        say_more_after_the_end,
    ],
)
@pytest.mark.parametrize("remembered", [False, True])
def test_a_damaged_journal_is_named_and_never_a_result(
    healthy_and_sick: tuple[Path, Path], harm: object, remembered: bool
) -> None:
    results, folder = healthy_and_sick
    if remembered:
        assert len(load_scores(results).finished) == 2
    harm(folder)  # type: ignore[operator]
    for _ in range(2):  # the second time from what is remembered
        scores = load_scores(results)
        assert list(damaged(scores)) == [folder.name]
        assert [run.seed for run in scores.finished] == [0]
        assert folder.name in damaged(scores)[folder.name]


def test_an_unfinished_run_is_no_result_yet(tmp_path: Path, journals: ModuleType) -> None:
    journals.write_run(tmp_path, journals.Run(steps=[journals.Step(0.7)], finished=False))
    scores = load_scores(tmp_path)
    (run,) = scores.runs
    assert not scores.finished and not scores.damaged
    assert (run.score, run.improvement_test, run.note) == (None, None, "unfinished")
    assert run.improvement_val == pytest.approx(0.2)
    assert run.best_step == 1


def test_a_folder_without_runs_is_a_mistake_of_the_caller(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no runs"):
        load_scores(tmp_path / "nowhere")


def test_what_is_remembered_equals_what_is_read(tmp_path: Path, journals: ModuleType) -> None:
    journals.write_sweep(tmp_path, agents=2, tasks=2, seeds=2, steps=6, code_lines=40)
    first, second = load_scores(tmp_path, Tokens()), load_scores(tmp_path, Tokens())
    for fresh, remembered in zip(first.runs, second.runs, strict=True):
        assert fresh.explorations == remembered.explorations
        for name in ("run_id", "score", "improvement_val", "tokens", "usd", "hours", "facts", "note", "finished"):
            assert getattr(fresh, name) == getattr(remembered, name)
        for name in ("kind", "value", "improvement", "tokens", "usd", "hours", "parent", "request"):
            one, other = getattr(fresh.steps, name), getattr(remembered.steps, name)
            assert one.dtype == other.dtype
            assert one.tobytes() == other.tobytes()


def test_a_run_that_went_on_is_read_again(tmp_path: Path, journals: ModuleType) -> None:
    journals.write_run(tmp_path, journals.Run(steps=[journals.Step(0.7)], finished=False))
    assert not only(tmp_path).finished
    journals.write_run(tmp_path, journals.Run(steps=[journals.Step(0.7), journals.Step(0.8)], test=0.75))
    assert only(tmp_path).score == pytest.approx(0.25)


@pytest.mark.parametrize("content", [b"", b"no archive", os.urandom(300)])
def test_a_spoilt_memory_costs_time_only(tmp_path: Path, journals: ModuleType, content: bytes) -> None:
    journals.write_run(tmp_path, journals.Run(steps=[journals.Step(0.7)], test=0.6))
    before = only(tmp_path).score
    (tmp_path / ".cache" / "summaries.npz").write_bytes(content)
    assert only(tmp_path).score == before


def test_exploration_looks_at_the_full_code_of_every_step(tmp_path: Path, journals: ModuleType) -> None:
    files = {"a.py": "x = 1\n", "b.py": "def f():\n    return 2\n"}
    changed = {"b.py": "def f():\n    return [i * i for i in range(9)]\n"}
    steps = [journals.Step(0.6, files=changed), journals.Step(None, "crashed"), journals.Step(0.7, files=changed)]
    journals.write_run(tmp_path, journals.Run(baseline_files=files, steps=steps, test=0.7))
    (run,) = load_scores(tmp_path, Tokens()).runs
    found = run.explorations["tokens"]
    base, edited = Tokens().embed(["\n".join(files.values()), files["a.py"] + "\n" + changed["b.py"]]).astype(float)
    assert found.reach == pytest.approx(float(((base - edited) ** 2).sum() ** 0.5), rel=1e-6)
    assert found.uniqueness == pytest.approx(2 / 3)
    # `tokens` does not grow with the length of a file, so its mean-pooled variant is the same
    assert run.explorations["tokens" + MEAN] == found


def test_lost_code_is_reported_and_the_run_still_scored(tmp_path: Path, journals: ModuleType) -> None:
    run = journals.Run(steps=[journals.Step(0.7, files={"algorithm.py": "lost = True\n"})], test=0.6)
    folder = journals.write_run(tmp_path, run)
    for blob in (tmp_path / "blobs").glob("*/*"):
        if "lost" in blob.read_text():
            blob.unlink()
    scores = load_scores(tmp_path, Tokens())
    assert "how it explored is not known" in damaged(scores)[folder.name]
    assert scores.finished[0].score == pytest.approx(0.1)
    assert not scores.finished[0].explorations
