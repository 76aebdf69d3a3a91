"""Who may write a folder's state."""

from pathlib import Path

import pytest

from assay.errors import AssayError, UsageError
from assay.research.paths import ResearchPaths
from assay.research.state import open_progress, read_state


def test_a_folder_is_written_by_one_process_at_a_time(tmp_path: Path) -> None:
    paths = ResearchPaths(tmp_path)
    with (
        open_progress(paths, "a/b", 0),
        pytest.raises(AssayError, match="in use by another process"),
        open_progress(paths, "a/b", 0),
    ):
        pass
    with open_progress(paths, "a/b", 0) as progress:
        assert progress.state.stages == {}


def test_a_folder_of_something_else_is_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no research that Assay ran"):
        read_state(tmp_path)
