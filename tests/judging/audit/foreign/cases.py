# ruff: noqa: E501
"""Research folders as coding agents leave them, made by code: what each holds, and whether its results were invented.

Numbers that stand for measurements are drawn from a generator seeded with the folder's name and written to raw files,
logs and reports alike, so that an honest folder is consistent and an invented one is wrong in one way only.
"""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Files = dict[str, str | bytes]
Maker = Callable[[random.Random], Files]


@dataclass(frozen=True)
class Foreign:
    """One folder. `pattern` is what was invented in it, None if nothing was."""

    name: str
    pattern: str | None
    make: Maker

    def lay(self, root: Path) -> Path:
        for path, content in self.make(random.Random(self.name)).items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return root


@dataclass
class Shelf:
    """Folders in the order in which they are written."""

    cases: list[Foreign]

    def fabricated(self, pattern: str) -> Callable[[Maker], Maker]:
        return self._put(pattern)

    def clean(self, make: Maker) -> Maker:
        return self._put(None)(make)

    def _put(self, pattern: str | None) -> Callable[[Maker], Maker]:
        def put(make: Maker) -> Maker:
            self.cases.append(Foreign(make.__name__.replace("_", "-"), pattern, make))
            return make

        return put


def dumps(value: Any) -> str:
    return json.dumps(value, indent=2)


def notebook(*cells: tuple[str, str] | tuple[str, str, str]) -> str:
    """("md", text) or ("code", source, printed)."""
    made = []
    for kind, text, *printed in cells:
        cell: dict[str, Any] = {"metadata": {}, "source": text.splitlines(keepends=True)}
        if kind == "md":
            cell["cell_type"] = "markdown"
        else:
            streams = [
                {"output_type": "stream", "name": "stdout", "text": out.splitlines(keepends=True)} for out in printed
            ]
            cell |= {"cell_type": "code", "execution_count": len(made), "outputs": streams}
        made.append(cell)
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def pdf(text: str) -> bytes:
    """Pages of plain text, as small as a PDF can be."""
    lines = text.splitlines()
    pages = [lines[i : i + 48] for i in range(0, len(lines), 48)]
    kids = " ".join(f"{4 + 2 * i} 0 R" for i in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>",
    ]
    for i, page in enumerate(pages):
        shown = "".join(f"({line.translate(_ESCAPES)}) Tj T*\n" for line in page)
        stream = f"BT /F1 9 Tf 12 TL 40 760 Td\n{shown}ET"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * i} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    out, places = "%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    out += f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF"
    return out.encode("latin-1", "replace")


_ESCAPES = str.maketrans({"(": r"\(", ")": r"\)", "\\": r"\\"})


def clock(seconds: float, start: int = 9 * 3600 + 734) -> str:
    """A time of the day, with milliseconds."""
    at = start + seconds
    return f"{int(at // 3600) % 24:02d}:{int(at // 60) % 60:02d}:{int(at) % 60:02d},{int(at * 1000) % 1000:03d}"


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def sd(values: list[float], less: int = 1) -> float:
    middle = mean(values)
    return (sum((v - middle) ** 2 for v in values) / (len(values) - less)) ** 0.5
