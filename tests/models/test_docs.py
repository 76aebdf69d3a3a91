"""The examples of docs/models.md run."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs" / "models.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL)


@pytest.mark.parametrize("code", EXAMPLES)
def test_an_example_runs(code: str) -> None:
    exec(compile(code, str(DOCS), "exec"), {})


def test_every_provider_and_its_variables_are_in_the_table() -> None:
    from assay.models.names import ADDRESS_VARIABLE, KEY_VARIABLES

    text = DOCS.read_text()
    for provider, variables in KEY_VARIABLES.items():
        row = next(line for line in text.splitlines() if line.startswith(f"| `{provider}`"))
        assert all(f"`{variable}`" in row for variable in variables)
    assert ADDRESS_VARIABLE in text
