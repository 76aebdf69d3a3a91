"""`assay view`: the page, live. Read-only; serves what the results folder's journals say and nothing else."""

import hmac
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from assay.errors import AssayError
from assay.report.data import integrity, page_data
from assay.report.detail import step_detail
from assay.report.maps import exploration_maps
from assay.report.page import chart_library, live_page
from assay.scoring.scores import load_scores

RUN_ID = re.compile(r"[A-Za-z0-9._-]{1,300}")
Handler = Callable[[Request], Awaitable[Response]]


def application(results: Path, token: str | None, hosts: tuple[str, ...]) -> Starlette:
    """The viewer. Every request names one of `hosts`, and carries the token if there is one."""
    library = chart_library()
    page = live_page(f"Assay: {results.resolve().name}")

    async def home(request: Request) -> Response:
        return HTMLResponse(page)

    async def charts(request: Request) -> Response:
        return Response(library, media_type="text/javascript", headers={"Cache-Control": "max-age=86400"})

    async def data(request: Request) -> Response:
        stamp = await run_in_threadpool(results_stamp, results)
        if request.query_params.get("since") == stamp:
            return Response(status_code=204)
        return JSONResponse({**await run_in_threadpool(_data, results), "stamp": stamp})

    async def maps(request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(_maps, results, request.query_params.get("task", "")))

    async def step(request: Request) -> Response:
        run_id, index = request.path_params["run"], request.path_params["step"]
        if not RUN_ID.fullmatch(run_id):
            return PlainTextResponse("no such run", status_code=404)
        return JSONResponse(await run_in_threadpool(step_detail, results, run_id, index))

    async def facts(request: Request) -> Response:
        run_id = request.path_params["run"]
        if not RUN_ID.fullmatch(run_id):
            return PlainTextResponse("no such run", status_code=404)
        return JSONResponse(await run_in_threadpool(integrity, results, run_id))

    def guarded(handler: Handler) -> Handler:
        async def serve(request: Request) -> Response:
            if request.url.hostname not in hosts:
                # a page elsewhere that resolves its name to this address must not read what is here
                return PlainTextResponse("this viewer does not answer to that host name", status_code=403)
            if token and not hmac.compare_digest(request.query_params.get("token", ""), token):
                return PlainTextResponse("the address lacks the token that `assay view` printed", status_code=403)
            try:
                response = await handler(request)
            except AssayError as error:
                return PlainTextResponse(f"{error.message}\n{error.hint}", status_code=404)
            response.headers.update(_HEADERS)
            return response

        return serve

    routes = {
        "/": home,
        "/charts.js": charts,
        "/data": data,
        "/maps": maps,
        "/runs/{run}/steps/{step:int}": step,
        "/runs/{run}/facts": facts,
    }
    return Starlette(routes=[Route(path, guarded(handler), methods=["GET"]) for path, handler in routes.items()])


_HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY"}


def results_stamp(results: Path) -> str:
    """Changes with every event of any run. Cheap: sizes alone."""
    sizes = [(p.parent.name, p.stat().st_size) for p in sorted((results / "runs").glob("*/events.jsonl"))]
    return f"{len(sizes)}-{sum(size for _, size in sizes)}"


def _data(results: Path) -> dict[str, object]:
    return page_data(load_scores(results, None))


def _maps(results: Path, task: str) -> dict[str, list[list[float]]]:
    from assay.embedding.registry import open_embedder

    runs = [run for run in load_scores(results, None).runs if run.task == task]
    return exploration_maps(results, runs, open_embedder("tokens"))
