"""Which files a candidate may read: the interpreter, its libraries, and neither data sets nor Assay."""

import importlib.util
import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.sandbox.grants import NONE, Grants

DEVICES = tuple(Path("/dev") / name for name in ("null", "zero", "random", "urandom"))
_SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo")
_CODE = frozenset({".py", ".pyi", ".pyc", ".so", ".pyx", ".pxd"})
_BUNDLED_DATA = ("skimage:data", "vega_datasets:_data", "pydataset:resources", "mlxtend:data/data", "nltk_data")
"""Data that known packages bundle under another name than `datasets`."""
_PROGRAM_FOLDERS = (Path("/usr"), Path("/opt"))
_INTERPRETERS = ("lib/python3*/*-packages", "*/lib/python3*/*-packages")
_PACKAGE = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Readable:
    """What is readable: every root with all that is below it, but for what is hidden."""

    roots: tuple[Path, ...]
    hidden: tuple[Path, ...]

    def leaves(self) -> Iterator[Path]:
        """The same as a plain list of paths, for a mechanism that can allow but not exclude."""
        for root in self.roots:
            yield from _without(root, self.hidden)


def readable(hidden: Sequence[str], grants: Grants = NONE) -> Readable:
    """For this interpreter. `hidden` names further modules, or `module:folder`, whose files are not to be read."""
    roots = _outermost([*_python_folders(), *_python_files(), *_system_libraries(), *grants.roots()])
    concealed = {_PACKAGE, *_data_sets(roots)}
    for name in (*_BUNDLED_DATA, *hidden):
        concealed.update(_of_module(name))
    below = (path for path in concealed if any(path.is_relative_to(root.resolve()) for root in roots))
    return Readable(tuple(roots), tuple(_outermost(below)))


def _python_folders() -> Iterator[Path]:
    own = [Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    yield from own
    for entry in map(Path, sys.path):
        # an editable install puts a whole checkout on the path: ours is not the candidate's to read
        if entry.is_absolute() and entry.is_dir() and not _PACKAGE.is_relative_to(entry.resolve()):
            yield entry


def _python_files() -> Iterator[Path]:
    """What it takes to start this interpreter again, as a process pool does."""
    yield Path(sys.executable)
    yield Path(sys.executable).resolve()
    yield Path(sys.prefix) / "pyvenv.cfg"
    yield from (Path(sys.base_prefix) / "lib").glob("libpython*.so*")


def _system_libraries() -> Iterator[Path]:
    multiarch = sysconfig.get_config_var("MULTIARCH")
    folders = [Path(top) / multiarch for top in ("/lib", "/usr/lib")] if multiarch else []
    if not any(folder.is_dir() for folder in folders):
        folders = [Path("/lib"), Path("/usr/lib")]
    yield from (path for path in [*folders, Path("/lib64"), Path("/usr/lib64")] if path.is_dir())
    yield from (Path(path) for path in _SYSTEM_FILES)


def _data_sets(roots: Iterable[Path]) -> Iterator[Path]:
    """Below any package's folder `datasets`: all but code, whole folders where they hold no code."""
    places = [place for root in roots for place in (root, root / "site-packages", root / "dist-packages")]
    # other interpreters, where the folder of all programs may be read
    programs = [root for root in roots if root in _PROGRAM_FOLDERS]
    places += [place for root in programs for pattern in _INTERPRETERS for place in root.glob(pattern)]
    for place in places:
        for pattern in ("*/datasets", "*/*/datasets"):
            for folder in place.glob(pattern):
                yield from _all_but_code(folder.resolve())


def _all_but_code(folder: Path) -> Iterator[Path]:
    entries = [path for path in folder.iterdir() if path.name != "__pycache__"]
    if not any(path.is_dir() or (path.suffix in _CODE and path.name != "__init__.py") for path in entries):
        yield folder
        return
    for path in entries:
        if path.is_dir():
            yield from _all_but_code(path)
        elif path.suffix not in _CODE:
            yield path


def _of_module(name: str) -> Iterator[Path]:
    """The folder of `module` or `module:folder`; nothing if the module is not installed."""
    module, _, folder = name.partition(":")
    spec = importlib.util.find_spec(module.partition(".")[0])
    for location in (spec.submodule_search_locations or ()) if spec else ():
        yield Path(location).resolve().joinpath(*module.split(".")[1:], folder)
    if spec and not spec.submodule_search_locations and spec.origin:
        yield Path(spec.origin).resolve()


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Those that exist and lie below no other, in order."""
    kept: list[Path] = []
    for path in sorted({Path(os.path.normpath(path)) for path in paths if path.exists()}):
        if not any(path.is_relative_to(other) for other in kept):
            kept.append(path)
    return kept


def _without(path: Path, hidden: Sequence[Path]) -> Iterator[Path]:
    real = path.resolve()
    if real in hidden:
        return
    if not any(secret.is_relative_to(real) for secret in hidden):
        yield path
        return
    for child in sorted(path.iterdir()):
        yield from _without(child, hidden)
