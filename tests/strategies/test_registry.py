import sys
from pathlib import Path

import pytest

from assay.errors import UsageError
from assay.strategies.registry import BUILT_IN, agents, build_params, describe_params, find_strategy

SEVEN = {"ai_scientist", "ai_scientist_v2", "aide", "aira_mcts", "autoresearch", "openevolve", "adaptive_search"}


def complaint(call) -> str:
    with pytest.raises(UsageError) as caught:
        call()
    return f"{caught.value.message}\n{caught.value.hint}"


def test_all_seven_agents_are_listed_with_a_line_each() -> None:
    listed = agents()
    assert set(listed) >= SEVEN | {"nop", "noise", "oracle"}
    assert all(info.summary and info.source == "assay" for name, info in listed.items() if name in BUILT_IN)


def test_an_unknown_agent_is_told_its_neighbours() -> None:
    assert "nearest: aide" in complaint(lambda: find_strategy("aid"))


def test_parameters_are_typed_and_have_the_documented_defaults() -> None:
    aide = find_strategy("aide")
    params = build_params(aide, None, {"num_drafts": "7", "debug_prob": "0.25", "analyse": "False"})
    assert params.model_dump() == {"num_drafts": 7, "debug_prob": 0.25, "max_debug_depth": 3, "analyse": False}
    shares = build_params(find_strategy("ai_scientist_v2"), None, {"stage_budgets": "0.25,0.25,0.25,0.25"})
    assert shares.model_dump()["stage_budgets"] == (0.25, 0.25, 0.25, 0.25)
    window = build_params(find_strategy("adaptive_search"), "fmlbench", {"p1_window": "none", "embedder": "tokens"})
    assert window.model_dump()["p1_window"] is None


@pytest.mark.parametrize("text", ["x", "5.5", "", "-1", "[1]", "1,2"])
def test_a_value_of_the_wrong_type_is_refused_with_what_was_said(text: str) -> None:
    said = complaint(lambda: build_params(find_strategy("aide"), None, {"num_drafts": text}))
    assert said.startswith(f"aide.num_drafts={text}: ") and "num_drafts=5" in said


def test_an_unknown_parameter_is_told_its_neighbours() -> None:
    said = complaint(lambda: build_params(find_strategy("aide"), None, {"num_draft": "5"}))
    assert "no parameter 'aide.num_draft'" in said and "nearest: aide.num_drafts" in said


def test_presets_hold_for_every_agent_and_give_way_to_parameters() -> None:
    aira = find_strategy("aira_mcts")
    assert build_params(aira, "upstream", {}).model_dump()["num_children"] == 5
    assert build_params(aira, "upstream", {"num_children": "3"}).model_dump()["num_children"] == 3
    for name in SEVEN:
        for preset in ("fmlbench", "upstream"):
            build_params(find_strategy(name), preset, {})
    assert "nearest: upstream" in complaint(lambda: build_params(aira, "upstrem", {}))


def test_parameters_are_described_with_their_defaults() -> None:
    assert "uct_c=1.41" in describe_params(find_strategy("aira_mcts"))
    assert describe_params(find_strategy("nop")) == "none"


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder from which Python imports."""
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("my_agent", None)


AGENT = """
from assay.strategies.base import Strategy
from assay.strategies.request import Request

class Mine(Strategy):
    name = "mine"
    summary = "draws lots"
    def search(self, start):
        while True:
            yield Request(kind="draft")
"""


def test_a_strategy_of_a_module_is_found_by_its_class(elsewhere: Path) -> None:
    (elsewhere / "my_agent.py").write_text(AGENT)
    assert find_strategy("my_agent:Mine").name == "mine"
    assert "has no 'Yours'" in complaint(lambda: find_strategy("my_agent:Yours"))
    assert "is not a strategy" in complaint(lambda: find_strategy("my_agent:Request"))
    assert "cannot import agent 'no_such_module:X'" in complaint(lambda: find_strategy("no_such_module:X"))


def test_a_strategy_of_an_installed_package_is_found_by_its_entry_point(elsewhere: Path) -> None:
    (elsewhere / "my_agent.py").write_text(AGENT)
    meta = elsewhere / "my_agent-1.0.dist-info"
    meta.mkdir()
    (meta / "METADATA").write_text("Metadata-Version: 2.1\nName: my-agent\nVersion: 1.0\n")
    (meta / "entry_points.txt").write_text("[assay.strategies]\nmine = my_agent:Mine\nlost = no_such_module:Lost\n")
    assert find_strategy("mine").summary == "draws lots"
    listed = agents()
    assert (listed["mine"].source, listed["mine"].summary) == ("my-agent", "draws lots")
    assert "cannot import agent" in listed["lost"].summary
