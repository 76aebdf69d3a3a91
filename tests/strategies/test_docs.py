"""docs/strategies.md names every parameter with the default that the code has."""

import re
from pathlib import Path

import pytest

from assay.strategies.registry import BUILT_IN, find_strategy

PAGE = (Path(__file__).parents[2] / "docs" / "strategies.md").read_text()


@pytest.mark.parametrize("agent", [name for name in BUILT_IN if find_strategy(name).Params.model_fields])
def test_every_parameter_is_documented_with_its_default(agent: str) -> None:
    section = PAGE.split(f"\n## {agent}\n")[1].split("\n## ")[0]
    documented = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", section, re.MULTILINE))
    for name, field in find_strategy(agent).Params.model_fields.items():
        default = field.default
        shown = (
            ",".join(map(str, default)) if isinstance(default, tuple) else "none" if default is None else str(default)
        )
        assert documented.pop(name) == shown, name
    assert not documented
