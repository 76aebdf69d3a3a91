"""Originals of a task's data: from a folder of the user's, through the user's own `kaggle` command, or by HTTPS."""

import shutil
import subprocess
import tarfile
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from assay.errors import AssayError, UsageError
from assay.files import file_digest
from assay.tasks.installed import data_folder
from assay.tasks.spec import Source

_ARCHIVES = (".zip", ".tar.gz", ".tgz", ".tar")
_SECONDS = 60.0


@contextmanager
def originals(task: str, source: Source, folder: Path | None) -> Iterator[Path]:
    """A folder that holds all that `source.files` names; what had to be unpacked vanishes at the end.

    Raises UsageError if something is missing, is not the published file, or cannot be had without the user.
    """
    if folder is not None and not _missing(source, folder):
        yield folder
        return
    data_folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=data_folder(), prefix=".") as aside:
        unpacked = Path(aside)
        if folder is None:
            _fetch(task, source, unpacked)
        else:
            for archive in (folder / name for name in _archives(source)):
                if archive.is_file():
                    _unpack(archive, source, unpacked)
        if missing := _missing(source, unpacked):
            where = folder or "what was downloaded"
            raise UsageError(f"{where} has no {', '.join(missing)}", f"task '{task}' needs: {', '.join(source.files)}")
        yield unpacked


def _fetch(task: str, source: Source, target: Path) -> None:
    if source.by_hand:
        raise UsageError(f"the data of '{task}' cannot be fetched by a command", source.cure(task))
    if source.kaggle:
        _from_kaggle(task, source, target)
    for url in source.urls:
        _download(url, source, target)


def _from_kaggle(task: str, source: Source, target: Path) -> None:
    page = f"https://www.kaggle.com/competitions/{source.kaggle}"
    by_hand = f"or download it from {page}/data, then: assay setup {task} --from FOLDER"
    program = shutil.which("kaggle")
    if program is None:
        cure = f"install it (pip install kaggle), put your token in place and accept the rules at {page}/rules"
        raise UsageError("the command 'kaggle' is not installed", f"{cure}\n{by_hand}")
    command = [program, "competitions", "download", "-c", source.kaggle, "-p", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = (done.stdout + done.stderr).strip().splitlines()
        raise AssayError(
            f"'{' '.join(command[:5])}' failed: {said[-1][:300] if said else f'exit status {done.returncode}'}",
            f"have you accepted the rules at {page}/rules?\n{by_hand}",
        )
    for archive in target.glob("*.zip"):
        _unpack(archive, source, target)


def _download(url: str, source: Source, target: Path) -> None:
    file = target / PurePosixPath(url).name
    try:
        with urllib.request.urlopen(url, timeout=_SECONDS) as answer, file.open("wb") as out:
            shutil.copyfileobj(answer, out)
    except (urllib.error.URLError, OSError) as error:
        raise AssayError(
            f"{url} could not be fetched: {error}", "try again, or load it from a folder: --from"
        ) from None
    if file.name.endswith(_ARCHIVES):
        _unpack(file, source, target)
    else:
        _verify(file, source)


def _archives(source: Source) -> list[str]:
    """Names under which the originals are published, packed."""
    names = [PurePosixPath(url).name for url in source.urls]
    return [*([f"{source.kaggle}.zip"] if source.kaggle else []), *(n for n in names if n.endswith(_ARCHIVES))]


def _unpack(archive: Path, source: Source, target: Path) -> None:
    _verify(archive, source)
    try:
        if archive.suffix == ".zip":
            with zipfile.ZipFile(archive) as packed:
                packed.extractall(target)
        else:
            with tarfile.open(archive) as packed_tar:
                packed_tar.extractall(target, filter="data")
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, OSError) as error:
        raise UsageError(f"{archive} cannot be unpacked: {error}", "fetch it again: it may be cut off") from None


def _verify(file: Path, source: Source) -> None:
    wanted = source.sha256.get(file.name)
    if wanted and file_digest(file) != wanted:
        raise UsageError(f"{file} is not the published file: its SHA-256 differs", "fetch it again: it may be cut off")


def _missing(source: Source, folder: Path) -> list[str]:
    return [pattern for pattern in source.files if next(folder.glob(pattern), None) is None]
