"""The command line starts light: help imports nothing heavy."""

import subprocess
import sys

HEAVY = ("numpy", "scipy", "sklearn", "pandas", "pydantic", "pydantic_ai", "openai", "anthropic", "google", "plotly")


def imported_by(*words: str) -> set[str]:
    code = f"import sys; sys.argv = ['assay', *{list(words)!r}]\ntry:\n    from assay.cli.main import main; main()\n"
    code += "except SystemExit:\n    pass\nprint(*sys.modules, sep='\\n', file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    return {name.split(".")[0] for name in done.stderr.splitlines()}


def test_help_imports_neither_numpy_nor_a_provider_nor_a_plotting_library() -> None:
    modules = imported_by("--help")
    assert "assay" in modules
    assert modules.isdisjoint(HEAVY)


def test_version_is_printed() -> None:
    done = subprocess.run([sys.executable, "-m", "assay", "--version"], capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("assay ")
