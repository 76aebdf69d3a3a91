"""`assay report`: from a results folder to one file."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assay import __version__
from assay.embedding.base import Embedder
from assay.embedding.registry import open_embedder
from assay.errors import AssayError
from assay.files import write_whole
from assay.judging.audit.model import Audit
from assay.report.audits import audit_data
from assay.report.data import machines, page_data
from assay.report.detail import StepReader
from assay.report.maps import exploration_maps
from assay.report.page import static_page
from assay.scoring.scores import Scores, load_scores
from assay.scoring.summary import RunSummary

DETAIL_STEPS = 1500
"""Steps whose code, prompts and logs fit into the file; the viewer opens the others."""
TEXT_LIMIT = 6000
"""Characters of one prompt, answer or log in the file."""


UNASKED_STEPS = 20_000
"""Steps whose exploration is measured without being asked for: more would take minutes."""


def affordable_embedder(results: Path) -> Embedder | None:
    """`tokens`, or None where too many steps were never measured by it. Raises UsageError if there are no runs."""
    embedder = open_embedder("tokens")
    unmeasured = [run for run in load_scores(results).runs if embedder.name not in run.explorations]
    return embedder if sum(len(run.steps) for run in unmeasured) <= UNASKED_STEPS else None


def write_report(results: Path, file: Path, embedder: Embedder | None, audits: Sequence[Audit] = ()) -> Scores:
    """Write the page whole or not at all, and return what it is made of. Raises UsageError if there are no runs."""
    scores = load_scores(results, embedder)
    data = page_data(scores, exploration_maps(results, scores.runs, embedder) if embedder else None)
    data["machines"] = machines(results, (run.run_id for run in scores.runs))
    data["details"], data["detailNote"] = _details(results, scores.runs)
    data["audits"] = audit_data(audits)
    page = static_page(data, f"Assay: {results.resolve().name}")
    write_whole(file, page)
    return scores


def write_audits(file: Path, audits: Sequence[Audit]) -> None:
    """Write a page about research alone, whole or not at all."""
    data = {"assay": __version__, "runs": [], "damaged": [], "audits": audit_data(audits)}
    name = Path(audits[0].folder).resolve().name if len(audits) == 1 else f"{len(audits)} research folders"
    write_whole(file, static_page(data, f"Assay: audit of {name}"))


def _details(results: Path, runs: tuple[RunSummary, ...]) -> tuple[dict[str, Any], str]:
    """Opened steps by run: all of them if they fit, else the way to the best of each run, as far as there is room."""
    total = sum(len(run.steps) + 1 for run in runs)
    room = DETAIL_STEPS
    found: dict[str, Any] = {}
    for run in _best_first(runs):
        wanted = list(range(len(run.steps) + 1)) if total <= DETAIL_STEPS else _lineage(run)
        if len(wanted) > room:
            continue
        try:
            reader = StepReader(results, run.run_id)
            found[run.run_id] = {str(index): _cut(reader.detail(index)) for index in wanted}
        except AssayError:
            continue  # a run whose texts are lost is still shown, without them
        room -= len(wanted)
    if total <= DETAIL_STEPS:
        return found, ""
    shown = sum(map(len, found.values()))
    return found, f"This file holds the code of {shown} of {total} steps, those on the way to the best. All: assay view"


def _best_first(runs: tuple[RunSummary, ...]) -> list[RunSummary]:
    """The best run of each agent on each task, to which the page's tables lead, then the others."""
    ranks: Counter[tuple[str, str, str]] = Counter()
    order = []
    for run in sorted(runs, key=lambda run: -(run.score or 0)):
        cell = (run.task, run.agent, run.model)
        order.append((ranks[cell], run.run_id, run))
        ranks[cell] += 1
    return [run for _, _, run in sorted(order, key=lambda each: each[:2])]


def _lineage(run: RunSummary) -> list[int]:
    """The best step and the steps whose code it grew from."""
    path = [run.best_step]
    while path[-1] > 0:
        path.append(int(run.steps.parent[path[-1] - 1]))
    return path


def _cut(detail: dict[str, Any]) -> dict[str, Any]:
    detail["log"] = _head(detail["log"])
    for call in detail["calls"]:
        call["prompt"], call["answer"] = _head(call["prompt"]), _head(call["answer"])
    return detail


def _head(text: str) -> str:
    return text if len(text) <= TEXT_LIMIT else text[:TEXT_LIMIT] + f"\n… {len(text) - TEXT_LIMIT} characters more"
