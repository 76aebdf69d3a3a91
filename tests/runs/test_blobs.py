"""Contents by their digest: there whole or not at all, also where many are stored together."""

import threading
from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.files import digest
from assay.runs.blobs import Blobs


def stored(root: Path) -> set[str]:
    """What is there under its own name."""
    files = [path for path in root.rglob("*") if path.is_file() and not path.name.startswith(".")]
    assert all(digest(path.read_bytes()) == path.parent.name + path.name for path in files)
    return {path.read_text() for path in files}


def test_what_is_stored_together_can_be_read_at_once_and_is_there_at_the_end(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path)
    with blobs.together():
        names = [blobs.put(text) for text in ("a", "b", "a")]
        assert [blobs.get(name) for name in names] == ["a", "b", "a"] and stored(tmp_path) == set()
        with blobs.together():
            blobs.put("c")
        assert stored(tmp_path) == {"a", "b", "c"}
        blobs.put("d")
    assert stored(tmp_path) == {"a", "b", "c", "d"}
    assert not list(tmp_path.rglob(".*"))
    assert Blobs(tmp_path).get(names[1]) == "b"


def test_a_block_that_breaks_off_keeps_what_was_stored(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path)
    with pytest.raises(ValueError, match="no"), blobs.together():
        blobs.put("a")
        raise ValueError("no")
    assert stored(tmp_path) == {"a"}
    blobs.put("b")
    assert stored(tmp_path) == {"a", "b"}


def test_another_thread_does_not_wait_for_the_block(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path)
    with blobs.together():
        blobs.put("mine")
        other = threading.Thread(target=blobs.put, args=("other",))
        other.start()
        other.join()
        assert stored(tmp_path) == {"other"}
    assert stored(tmp_path) == {"mine", "other"}


def test_two_writers_may_store_the_same_together(tmp_path: Path) -> None:
    one, two = Blobs(tmp_path), Blobs(tmp_path)
    with one.together(), two.together():
        assert one.put("same") == two.put("same")
    assert stored(tmp_path) == {"same"}


def test_a_content_that_is_not_what_its_name_says_is_refused(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path)
    name = blobs.put("a")
    (tmp_path / name[:2] / name[2:]).write_text("b")
    with pytest.raises(AssayError, match="missing or damaged"):
        blobs.get(name)
    with pytest.raises(AssayError, match="missing or damaged"):
        blobs.get(digest(b"never stored"))
