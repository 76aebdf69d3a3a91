"""`assay view`: the page, live. Read-only; serves what the results folder's journals say and nothing else."""

import gzip
import hmac
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from assay.errors import AssayError
from assay.report.live import LiveResults
from assay.report.page import chart_library, live_page

LOOPBACK = ("127.0.0.1", "::1", "localhost")
Handler = Callable[[Request], Awaitable[Response]]


def application(live: LiveResults, name: str, token: str | None) -> Starlette:
    """The viewer of results called `name`. With a token every request must carry it; without one every request must
    name this machine's own address, so that a page elsewhere cannot read what is here."""
    library = gzip.compress(chart_library().encode(), mtime=0)
    page = live_page(f"Assay: {name}")

    async def home(request: Request) -> Response:
        return HTMLResponse(page)

    async def charts(request: Request) -> Response:
        return _packed(library, "text/javascript", "max-age=86400")

    async def data(request: Request) -> Response:
        body = await run_in_threadpool(live.data, request.query_params.get("since"))
        return Response(status_code=204) if body is None else _packed(body)

    async def maps(request: Request) -> Response:
        return _packed(await run_in_threadpool(live.maps, request.query_params.get("task", "")))

    async def machines(request: Request) -> Response:
        return _packed(await run_in_threadpool(live.machines))

    async def step(request: Request) -> Response:
        run_id, index = request.path_params["run"], request.path_params["step"]
        return _packed(await run_in_threadpool(live.step, run_id, index))

    routes = {
        "/": home,
        "/charts.js": charts,
        "/data": data,
        "/maps": maps,
        "/machines": machines,
        "/runs/{run}/steps/{step:int}": step,
    }
    return Starlette(
        routes=[Route(path, _guarded(handler, token), methods=["GET"]) for path, handler in routes.items()]
    )


def _guarded(handler: Handler, token: str | None) -> Handler:
    async def serve(request: Request) -> Response:
        if token is None and not _is_loopback(request.headers.get("host", "")):
            # another site may resolve its own name to this address: its pages would be of the same origin as ours
            return PlainTextResponse("this viewer does not answer to that host name", status_code=403)
        if token and not hmac.compare_digest(request.query_params.get("token", "").encode(), token.encode()):
            return PlainTextResponse("the address lacks the token that `assay view` printed", status_code=403)
        try:
            response = await handler(request)
        except AssayError as error:
            response = PlainTextResponse(f"{error.message}\n{error.hint}", status_code=404)
        response.headers.update(_HEADERS)
        return response

    return serve


def _is_loopback(host: str) -> bool:
    try:
        return urlsplit(f"//{host}").hostname in LOOPBACK
    except ValueError:
        return False


_HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY"}


def _packed(body: bytes, kind: str = "application/json", keep: str = "no-store") -> Response:
    return Response(body, media_type=kind, headers={"Content-Encoding": "gzip", "Cache-Control": keep})
