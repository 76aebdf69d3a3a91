"""Made-up journals for every test of scoring."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

JOURNALS = Path(__file__).parents[2] / "benchmarks" / "journals.py"


@pytest.fixture(scope="session")
def journals() -> ModuleType:
    """`benchmarks/journals.py`, which writes runs through the journal's own models."""
    name = "benchmarks_journals"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, JOURNALS)
        assert spec and spec.loader
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]
