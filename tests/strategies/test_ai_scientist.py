from itertools import count

from assay.strategies.request import Ask


def test_each_idea_starts_from_the_baseline_and_goes_on_whether_better_or_worse(play) -> None:
    trace = play("ai_scientist", 7, lambda index, request: 0.1, max_runs="3")
    asked = [(s.request.kind, s.request.parents[0]) for s in trace.steps[1:]]
    assert asked == [
        ("draft", 0),
        ("improve", 1),
        ("improve", 2),
        ("draft", 0),
        ("improve", 4),
        ("improve", 5),
        ("draft", 0),
    ]


def test_every_request_of_an_idea_names_it_also_when_mending(play) -> None:
    numbers = count(1)
    trace = play(
        "ai_scientist",
        6,
        lambda index, request: "crashed" if index in (2, 3) else 0.6,
        answers=lambda ask: [f"idea {next(numbers)}"] if ask.kind == "ideate" else [],
        max_runs="2",
    )
    asked = [(s.request.kind, s.request.parents[0], s.request.idea) for s in trace.steps[1:]]
    assert asked == [
        ("draft", 0, "idea 1"),
        ("improve", 1, "idea 1"),
        ("debug", 2, "idea 1"),
        ("debug", 3, "idea 1"),
        ("draft", 0, "idea 2"),
        ("improve", 5, "idea 2"),
    ]


def test_an_idea_is_given_up_after_four_attempts_at_a_run(play) -> None:
    trace = play("ai_scientist", 5, lambda index, request: "crashed")
    assert [s.request.kind for s in trace.steps[1:]] == ["draft", "debug", "debug", "debug", "draft"]


def test_reflection_ends_when_the_idea_comes_back_unchanged(play) -> None:
    trace = play(
        "ai_scientist", 1, lambda index, request: 0.6, answers=lambda ask: ["use  a prior"], num_reflections="5"
    )
    assert [y.kind for y in trace.yielded if isinstance(y, Ask)] == ["ideate", "reflect"]


def test_ideas_are_asked_for_when_their_turn_comes_and_know_of_each_other(play) -> None:
    numbers = count(1)
    trace = play(
        "ai_scientist",
        3,
        lambda index, request: 0.6,
        answers=lambda ask: [f"idea {next(numbers)}"],
        max_runs="1",
        num_reflections="1",
    )
    asks = [y for y in trace.yielded if isinstance(y, Ask)]
    assert len(asks) == 3
    assert "idea 1" in asks[1].guidance and "idea 2" in asks[2].guidance


def test_a_model_may_say_that_an_idea_is_complete(play) -> None:
    from assay.strategies.ai_scientist import AiScientist, AiScientistParams
    from assay.strategies.base import Setting
    from assay.strategies.request import Request, Step
    from assay.tasks.candidate import Candidate
    from assay.tasks.outcome import Outcome
    from assay.tasks.spec import Metric

    strategy = AiScientist(
        AiScientistParams(), Setting(metric=Metric(name="m", direction="max", best=1), steps=9, seed=0)
    )
    code = Candidate(files={"a.py": ""})
    request = Request(kind="improve")
    done = Step(
        index=1, request=request, candidate=code, description="ALL_COMPLETED", outcome=Outcome(kind="ok", value=1)
    )
    assert strategy.complete(done)
    patient = AiScientist(AiScientistParams(use_early_completion=False), strategy.setting)
    assert not patient.complete(done)
