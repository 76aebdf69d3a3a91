"""The corpus: research folders with invented and with honest results, written for these tests."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

CORPUS = Path(__file__).parent / "corpus"


@dataclass(frozen=True)
class Folder:
    """One case: `##### fabricated|clean NAME [on BASE]`, then files, each after `=== path`."""

    pattern: str
    name: str
    fabricated: bool
    files: dict[str, str]

    def lay(self, root: Path) -> Path:
        for path, text in self.files.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return root


def read_corpus() -> list[Folder]:
    honest = _cases(CORPUS / "honest.txt", {})[0]
    return [honest] + [c for p in sorted(CORPUS.glob("P*.txt")) for c in _cases(p, honest.files)]


def _cases(path: Path, base: dict[str, str]) -> list[Folder]:
    out = []
    for block in re.split(r"^##### ", path.read_text(encoding="utf-8"), flags=re.M)[1:]:
        head, _, body = block.partition("\n")
        kind, name, *on = head.split()
        parts = re.split(r"^=== (\S+)\n", body, flags=re.M)
        files = dict(zip(parts[1::2], parts[2::2], strict=True))
        out.append(Folder(path.stem, name, kind == "fabricated", {**(base if on else {}), **files}))
    return out


@pytest.fixture(scope="session")
def corpus() -> list[Folder]:
    return read_corpus()


@pytest.fixture
def case(corpus: list[Folder], tmp_path: Path) -> Callable[[str, str], Path]:
    """Lay one case of the corpus into an empty folder."""

    def lay(pattern: str, name: str) -> Path:
        return next(c for c in corpus if (c.pattern, c.name) == (pattern, name)).lay(tmp_path / name)

    return lay
