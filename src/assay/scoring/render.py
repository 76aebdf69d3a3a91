"""Tables for files and for people."""

import csv
import io
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from assay.scoring.correlation import Correlation
from assay.scoring.measures import MEASURES
from assay.scoring.tables import Row, Table

Grid = tuple[str, list[str], list[list[str]]]
"""Title, column heads and rows of a table as it is shown."""


def write_tables(tables: Sequence[Table], folder: Path) -> list[Path]:
    """Each table as CSV and JSON; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for table in tables:
        for suffix, text in ((".csv", as_csv(table)), (".json", as_json(table))):
            path = folder / (table.name + suffix)
            path.write_text(text)
            written.append(path)
    return written


def as_csv(table: Table) -> str:
    """Full precision; empty where there is no value."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, table.columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(table.rows)
    return buffer.getvalue()


def as_json(table: Table) -> str:
    return json.dumps(as_plain(table), indent=2, ensure_ascii=False) + "\n"


def as_plain(table: Table) -> Row:
    """A table as JSON can say it: what is no finite number becomes null."""
    rows = [{key: _finite(value) for key, value in row.items()} for row in table.rows]
    return {"table": table.name, "title": table.title, "embedder": table.embedder, "rows": rows}


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def shown(tables: Sequence[Table]) -> list[Grid]:
    """All tables as they are shown: agents side by side."""
    views: dict[str, Callable[[Table], Grid]] = {
        "table_raw_performance": _raw,
        "table_normalized_improvement": _improvement,
        "table_process_metrics": _process,
        "table_agents": _agents,
        "table_mlagentbench": _mlab,
        "table_error_classes": _classes,
        "table_legacy_mlab": _legacy,
    }
    return [views[table.name](table) for table in tables]


def _raw(table: Table) -> Grid:
    def cell(row: Row) -> str:
        return _figure(row["value"], row["low"], row["high"]) + _aside(row["note"])

    first = {row["task"]: row for row in reversed(table.rows)}
    heads = {
        task: [task, f"{row['metric']} {'↑' if row['direction'] == 'max' else '↓'}", _figure(row["baseline"])]
        for task, row in first.items()
    }
    return _side_by_side(table, ["task", "metric", "baseline"], heads, cell)


def _improvement(table: Table) -> Grid:
    def cell(row: Row) -> str:
        noise = " ~" if row["within_noise"] else ""
        return _figure(row["improvement"], row["low"], row["high"]) + noise + _aside(row["note"])

    title = f"{table.title}   (~ within two sigma of the baseline's own spread)"
    return (title, *_side_by_side(table, ["task"], {row["task"]: [row["task"]] for row in table.rows}, cell)[1:])


def _process(table: Table) -> Grid:
    rows = []
    for measure in MEASURES:
        # what is undefined for every agent says nothing: turns of search agents, exploration without an embedder
        if all(row[measure.key] is None for row in table.rows):
            continue
        figures = [_figure(*(row[measure.key + end] for end in ("", "_low", "_high"))) for row in table.rows]
        group = f"{measure.group}, {table.embedder}" if measure.embedded else measure.group
        rows.append([measure.title, group, *figures])
    missing = "" if table.embedder else "   (exploration metrics need an embedder: --embedder tokens)"
    return table.title + missing, ["metric", "group", *(row["agent"] for row in table.rows)], rows


def _agents(table: Table) -> Grid:
    heads = ["agent", "tasks", "runs", "improvement", "interquartile mean", "mean rank", "win rate", "within noise"]
    rows = []
    for row in table.rows:
        figures = [
            _figure(*(row[name + end] for end in ("", "_low", "_high")))
            for name in ("improvement", "iqm", "mean_rank", "win_rate")
        ]
        unfinished = f" + {row['unfinished']} unfinished" if row["unfinished"] else ""
        share = "–" if row["within_noise"] is None else f"{row['within_noise']:.0%}"
        rows.append([row["agent"], str(row["tasks"]), f"{row['runs']}{unfinished}", *figures, share])
    return table.title, heads, rows


def _mlab(table: Table) -> Grid:
    heads = [
        "task",
        "agent",
        "runs",
        "success",
        "at 5/15/20/30 %",
        "any step",
        "beyond noise",
        "improvement",
        "minutes",
    ]
    rows = []
    for row in table.rows:
        others = "/".join(_percent(row[f"success_{threshold}"]) for threshold in (5, 15, 20, 30))
        shares = [_share(row, name) for name in ("any_step", "beyond_noise")]
        means = [_figure(*(row[name + end] for end in ("", "_low", "_high"))) for name in ("improvement", "minutes")]
        tokens = f"{row['tokens']:,.0f}"
        cells = [row["task"], row["agent"], str(row["runs"]), _share(row, "success"), others, *shares, *means, tokens]
        rows.append(cells)
    return (
        f"{table.title}   (success in % of the runs, improvement as a share of the baseline)",
        [*heads, "tokens"],
        rows,
    )


def _classes(table: Table) -> Grid:
    def cell(row: Row) -> str:
        if row["count"] is None:
            return f"{row['flagged']} flagged, {_share(row, 'flagged_share')} %"
        more = row["flagged"] - row["count"]
        return f"{row['count']}: {_share(row, 'share')} %" + (f" + {more} flagged" if more > 0 else "")

    agents = {row["agent"]: row["runs"] for row in table.rows}
    found = {(row["class"], row["agent"]): cell(row) for row in table.rows if row["flagged"]}
    classes = dict.fromkeys(row["class"] for row in table.rows if row["flagged"])
    rows = [[name, *(found.get((name, agent), "") for agent in agents)] for name in classes]
    return table.title, ["class", *(f"{agent}, {runs} runs" for agent, runs in agents.items())], rows


def _legacy(table: Table) -> Grid:
    heads = [
        "task",
        "agent",
        "runs",
        "baseline",
        "success",
        "at 5/15/20/30 %",
        "any step",
        "improvement",
        "submitted only",
    ]
    rows = []
    for row in table.rows:
        interval = (
            "" if row["success_10_low"] is None else f" [{row['success_10_low']:.0f}, {row['success_10_high']:.0f}]"
        )
        others = "/".join(f"{row[f'success_{threshold}']:.1f}" for threshold in (5, 15, 20, 30))
        figures = [f"{row[name]:.1f}" for name in ("any_step", "improvement", "submitted_improvement")]
        success = f"{row['success_10']:.1f}{interval}"
        rows.append([row["task"], row["agent"], str(row["runs"]), _figure(row["baseline"]), success, others, *figures])
    return table.title, heads, rows


def _share(row: Row, name: str) -> str:
    """A share in per cent with its interval."""
    if row[name] is None:
        return "–"
    return f"{_percent(row[name])} [{_percent(row[name + '_low'])}, {_percent(row[name + '_high'])}]"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f}"


def _side_by_side(table: Table, heads: list[str], lines: dict[str, list[str]], cell: Callable[[Row], str]) -> Grid:
    """One line a task, one column an agent."""
    agents = sorted({row["agent"] for row in table.rows})
    found = {(row["task"], row["agent"]): cell(row) for row in table.rows}
    rows = [[*head, *(found.get((task, agent), "") for agent in agents)] for task, head in sorted(lines.items())]
    return table.title, [*heads, *agents], rows


def _figure(value: float | None, low: float | None = None, high: float | None = None) -> str:
    if value is None:
        return "–"
    return f"{value:.4g}" if low is None else f"{value:.4g} [{low:.3g}, {high:.3g}]"


def _aside(note: str) -> str:
    return "" if note == "ok" else f" ({note})"


def shown_correlations(correlations: Sequence[Correlation], embedder: str | None) -> Grid:
    """Process metrics against improvement, as they are shown."""
    rows = [[c.title, str(c.runs), *(_rho(r) for r in (c.pooled, c.within, c.dense, c.sparse))] for c in correlations]
    named = f" (exploration by {embedder})" if embedder else ""
    title = f"Spearman correlation with the improvement on test{named}"
    return title, ["metric", "runs", "pooled", "within task", "dense tasks", "sparse tasks"], rows


def _rho(value: tuple[float, float] | None) -> str:
    return "–" if value is None else f"{value[0]:+.2f} (p {value[1]:.2g})"
