"""Every command that is listed is there and explains itself."""

import pytest
from click.testing import CliRunner

from assay.cli.main import COMMANDS, assay


@pytest.mark.parametrize("name", COMMANDS)
def test_a_listed_command_explains_itself(name: str) -> None:
    shown = CliRunner().invoke(assay, [name, "--help"])
    assert shown.exit_code == 0
    assert f"Usage: assay {name}" in shown.output and "--help" in shown.output
