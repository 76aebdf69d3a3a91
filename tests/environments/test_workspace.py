"""A workspace has no outside, keeps what is read-only, and can go back."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.environments.workspace import ActionError, Workspace, canonical
from assay.runs.blobs import Blobs

FIXED = {"train.csv": b"1\n", "data/x": b"2\n"}
NAMES = st.sampled_from(["a.py", "./a.py", "b", "b/c", "b/c/d.py", "data//y", "e/../a.py"])
CONTENTS = st.sampled_from([b"", b"1", b"2", b"\xff"])
DEEDS = st.one_of(
    st.tuples(st.just("write"), NAMES, CONTENTS),
    st.tuples(st.just("remove"), NAMES, st.none()),
    st.tuples(st.just("undo"), NAMES, st.none()),
)
TURNS = st.lists(st.lists(DEEDS, min_size=1, max_size=3), max_size=12)


def workspace_in(folder: Path) -> Workspace:
    return Workspace(Blobs(folder), FIXED, {"a.py": b"start\n"})


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return workspace_in(tmp_path)


@pytest.mark.parametrize(
    "name",
    ["../work_other/file", "..", "../x", "a/../../x", "/etc/passwd", "//etc/passwd", "./../work", "a/b/../../../c"],
)
def test_a_path_does_not_lead_out_however_like_the_workspace_it_is_called(name: str, workspace: Workspace) -> None:
    for deed in (workspace.read, workspace.undo, workspace.listing, workspace.writable):
        with pytest.raises(ActionError, match="not in the work directory"):
            deed(name)


@pytest.mark.parametrize("name", ["", "  ", "a\0b", "a\nb", "\ud800", "x" * 256, "x/" * 600, None, 5, ["a"], {}])
def test_what_can_be_no_file_is_no_path(name: object, workspace: Workspace) -> None:
    with pytest.raises(ActionError, match=r"not a path|too long"):
        workspace.write(name, b"")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name", ["train.csv", "./train.csv", ".//train.csv", "x/../train.csv", " train.csv ", "data/x", "data//x"]
)
def test_every_spelling_of_a_read_only_file_is_read_only(name: str, workspace: Workspace) -> None:
    with pytest.raises(ActionError, match="read-only"):
        workspace.write(name, b"mine")
    with pytest.raises(ActionError, match="read-only"):
        workspace.undo(name)


def test_a_file_and_a_folder_cannot_be_in_one_place(workspace: Workspace) -> None:
    workspace.write("b/c", b"1")
    for name, wrong in (("b", "a folder"), ("data", "a folder"), (".", "a folder"), ("a.py/x", "a part of its path")):
        with pytest.raises(ActionError, match=wrong):
            workspace.write(name, b"")


def test_undo_does_not_bring_a_file_back_where_a_folder_is_now(workspace: Workspace) -> None:
    workspace.write("b", b"1")
    workspace.end_turn()
    workspace.remove("b")
    workspace.write("b/c", b"2")
    workspace.end_turn()
    with pytest.raises(ActionError, match="a folder"):
        workspace.undo("b")


@given(st.text(max_size=40) | st.from_regex(r"(\.{0,2}/|a|\.\.){1,12}", fullmatch=True))
def test_a_canonical_path_never_escapes_and_has_one_form(name: str) -> None:
    try:
        path = canonical(name)
    except ActionError:
        return
    assert not path.startswith("/") and ".." not in path.split("/") and "\0" not in path
    assert canonical(path) == path == canonical(f"./{path}")
    path.encode()


@settings(max_examples=60, deadline=None)
@given(TURNS, NAMES, CONTENTS)
def test_undo_after_a_write_restores_what_was_there(turns: list, name: str, content: bytes) -> None:
    with TemporaryDirectory() as folder:
        workspace = workspace_in(Path(folder))
        lived(workspace, turns)
        before = dict(workspace.own)
        try:
            workspace.write(name, content)
        except ActionError:
            return
        if workspace.end_turn():
            workspace.undo(name)
            workspace.end_turn()
        assert workspace.own == before


@settings(max_examples=60, deadline=None)
@given(TURNS)
def test_recorded_changes_give_the_same_workspace_and_the_same_way_back(turns: list) -> None:
    with TemporaryDirectory() as folder:
        live, again = workspace_in(Path(folder)), workspace_in(Path(folder))
        for changes, undoing in lived(live, turns):
            again.repeat_turn(changes, undoing)
        assert live.own == again.own
        for name in ("a.py", "b", "b/c", "b/c/d.py", "data/y"):
            assert way_back(live, name) == way_back(again, name)


@settings(max_examples=60, deadline=None)
@given(TURNS)
def test_no_file_is_ever_below_another(turns: list) -> None:
    with TemporaryDirectory() as folder:
        workspace = workspace_in(Path(folder))
        lived(workspace, turns)
        paths = set(workspace.paths())
        assert not [path for path in paths for other in paths if other.startswith(f"{path}/")]


def lived(workspace: Workspace, turns: list) -> list[tuple[dict[str, str], bool]]:
    """Do what can be done; an undo is a turn of its own. What the journal would hold."""
    recorded = []
    for deeds in turns:
        undoing = deeds[0][0] == "undo"
        for deed, name, content in deeds[:1] if undoing else [deed for deed in deeds if deed[0] != "undo"]:
            try:
                getattr(workspace, deed)(name, *([] if content is None else [content]))
            except ActionError:
                continue
        recorded.append((workspace.end_turn(), undoing))
    return recorded


def way_back(workspace: Workspace, name: str) -> list[str]:
    seen = []
    while True:
        try:
            workspace.undo(name)
        except ActionError as error:
            return [*seen, str(error)]
        workspace.end_turn()
        seen.append(workspace.own.get(name, ""))
