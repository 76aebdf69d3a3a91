"""The arithmetic of speed relative to the starter; real processes are timed by the checks of the speed tasks."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.tasks.outcome import EvaluationClock
from assay.tasks.payload import Payload
from assay.tasks.timing import RESOLUTION, beside_starter, speed


class Processes:
    """Processes whose CPU seconds are given: the candidate's, the starter's, and those of one that calls nothing."""

    def __init__(self, candidate: float, starter: float, idle: float) -> None:
        self._seconds = {"candidate": candidate, "starter": starter, "idle": idle}
        self.clock = EvaluationClock()
        self.ran: list[str] = []

    def __call__(self, inputs: Payload | bytes, starter: bool = False) -> dict[str, Any]:
        assert not isinstance(inputs, bytes)
        who = "idle" if inputs["idle"] else "starter" if starter else "candidate"
        assert starter or who == "candidate", "an idle process must not hold the candidate's files"
        self.ran.append(who)
        self.clock = EvaluationClock(cpu_seconds=self._seconds[who])
        return {"answer": inputs["work"], "who": who}


def test_what_an_idle_process_takes_is_taken_off_both() -> None:
    processes = Processes(candidate=0.11, starter=0.51, idle=0.01)
    done = beside_starter(processes, {"work": 7})
    assert done.ratio == pytest.approx(0.2)
    assert done.answers == {"answer": 7, "who": "candidate"}
    assert processes.ran[0] == "candidate"


def test_nothing_is_faster_than_the_clock_resolves() -> None:
    assert beside_starter(Processes(0.01, 0.51, 0.01), {"work": 0}).ratio == pytest.approx(RESOLUTION / 0.5)
    assert beside_starter(Processes(0.0, 0.0, 0.0), {"work": 0}).ratio == 1.0


@given(st.floats(0.02, 10), st.floats(0.02, 10), st.floats(0, 0.01))
def test_the_same_times_have_ratio_one_and_exchange_turns_the_ratio_round(a: float, b: float, idle: float) -> None:
    assert beside_starter(Processes(a, a, idle), {"work": 0}).ratio == 1.0
    there, back = (beside_starter(Processes(*pair, idle), {"work": 0}).ratio for pair in ((a, b), (b, a)))
    assert there * back == pytest.approx(1.0)


def test_a_disturbed_round_does_not_move_the_median() -> None:
    metrics, stderrs = speed([0.1, 0.1, 5.0])
    assert metrics["time_ratio"] == pytest.approx(0.1)
    assert metrics["log10_speedup"] == pytest.approx(1.0)
    assert stderrs["time_ratio"] > 0
