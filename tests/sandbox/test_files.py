"""Which files are readable: everything a candidate needs, nothing that gives an answer away."""

import os
import sys
from pathlib import Path

import assay
from assay.sandbox.files import _all_but_code, readable


class Allowed:
    """What the list of readable paths amounts to."""

    def __init__(self, *hidden: str) -> None:
        self._leaves = {leaf.resolve() for leaf in readable(hidden).leaves()}

    def __contains__(self, path: Path) -> bool:
        real = path.resolve()
        return not self._leaves.isdisjoint([real, *real.parents])


def test_the_interpreter_and_its_libraries_are_readable_and_assay_is_not():
    import numpy

    allowed = Allowed()
    for path in (os.__file__, numpy.__file__, sys.executable):
        assert Path(path) in allowed, path
    package = Path(assay.__file__).parent
    for path in (package, package / "tasks" / "grader.py", package.parent, Path("/etc/passwd"), Path.home()):
        assert path not in allowed, path


def test_every_file_of_a_bundled_data_set_is_hidden_and_its_code_is_not():
    import sklearn.datasets

    allowed = Allowed()
    folder = Path(sklearn.datasets.__file__).parent
    for path in [*(folder / "data").iterdir(), *(folder / "images").iterdir(), *(folder / "descr").iterdir()]:
        assert path not in allowed, path
    assert Path(sklearn.datasets.__file__) in allowed and folder / "_base.py" in allowed


def test_what_a_task_hides_is_not_readable():
    import json
    import wave

    allowed = Allowed("wave", "json:tool.py", "not_installed_anywhere", "email.mime")
    hidden = [Path(wave.__file__), Path(json.__file__).parent / "tool.py", Path(os.__file__).parent / "email" / "mime"]
    assert not any(path in allowed for path in hidden)
    assert Path(json.__file__) in allowed


def test_data_beside_code_is_hidden_file_by_file(tmp_path):
    for name in ("code.py", "data.csv", "only_data/__init__.py", "only_data/a.npz", "mixed/b.py", "mixed/b.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    hidden = {path.relative_to(tmp_path).as_posix() for path in _all_but_code(tmp_path)}
    assert hidden == {"data.csv", "only_data", "mixed/b.txt"}
