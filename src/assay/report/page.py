"""The page as one self-contained file: no network, opens from disk, nothing an agent wrote is ever markup.

Data and the chart library are compressed inside the page and inflated by the browser. Scripts run only if their hash
stands in the page's content security policy, so text that slipped into markup could still not run.
"""

import base64
import gzip
import hashlib
import json
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any

SCRIPTS = (
    "dom.js",
    "state.js",
    "source.js",
    "colours.js",
    "charts.js",
    "leaderboard.js",
    "curves.js",
    "behaviour.js",
    "tree.js",
    "step.js",
    "run.js",
    "integrity.js",
    "audit.js",
    "main.js",
)
"""In the order in which they are joined into one script."""

STYLES = ("theme.css", "page.css", "views.css", "audit.css")


def asset(name: str) -> str:
    return (resources.files("assay.report") / "assets" / name).read_text()


def application() -> str:
    """The page's own script: small files, one a concept, joined."""
    body = "\n".join(asset(name) for name in SCRIPTS)
    return f"'use strict';\n(() => {{\n{body}\n}})();"


def chart_library() -> str:
    """The bundle that ships inside the plotting package."""
    import plotly

    return (Path(plotly.__file__).parent / "package_data" / "plotly.min.js").read_text(encoding="utf-8")


def static_page(data: dict[str, Any], title: str) -> str:
    """One HTML file that holds everything. `data` is JSON without NaN; without runs there are no charts."""
    script, library = application(), chart_library() if data["runs"] else ""
    return Template(asset("page.html")).substitute(
        title=_text(title),
        policy=f"default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; "
        f"script-src {_hash(script)} {_hash(library)}; base-uri 'none'; form-action 'none'",
        style="\n".join(asset(name) for name in STYLES),
        data=packed(json.dumps(data, separators=(",", ":"), ensure_ascii=False)),
        library=packed(library) if library else "",
        script=script,
    )


def live_page(title: str) -> str:
    """The same page for the viewer: data and library come from the server it was loaded from."""
    script = application()
    return Template(asset("page.html")).substitute(
        title=_text(title),
        policy=f"default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; connect-src 'self'; "
        f"script-src {_hash(script)} 'self'; base-uri 'none'; form-action 'none'",
        style="\n".join(asset(name) for name in STYLES),
        data="",
        library="",
        script=script,
    )


def packed(text: str) -> str:
    """Compressed, in letters that mean nothing to a parser of HTML. The same text gives the same letters."""
    return base64.b64encode(gzip.compress(text.encode("utf-8", "replace"), 9, mtime=0)).decode("ascii")


def _hash(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    return f"'sha256-{digest}'"


def _text(title: str) -> str:
    import html

    return html.escape(title)
