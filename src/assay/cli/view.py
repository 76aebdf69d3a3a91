"""`assay view`: the same page, live."""

import secrets
import socket
from pathlib import Path

import click


@click.command()
@click.argument("results", type=click.Path(path_type=Path), default=Path("results"))
@click.option("--port", type=click.IntRange(0, 65535), default=8123, show_default=True, help="0 takes a free one.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Off loopback, the address has a token.")
def command(results: Path, port: int, host: str) -> None:
    """Show RESULTS on a page that follows a sweep while it runs. Read-only. Ctrl-C ends it."""
    import uvicorn

    from assay.report.live import LiveResults
    from assay.report.server import LOOPBACK, application
    from assay.report.static import affordable_embedder
    from assay.runs.record import run_folders

    run_folders(results)
    listener = _listen(host, port)
    live = LiveResults(results, affordable_embedder(results))
    live.data()  # read before the first page asks for it
    token = None if host in LOOPBACK else secrets.token_urlsafe(24)
    shown = f"[{host}]" if ":" in host else host
    click.echo(f"http://{shown}:{listener.getsockname()[1]}/" + (f"?token={token}" if token else ""))
    app = application(live, results.resolve().name, token)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False, server_header=False))
    server.run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    from assay.errors import UsageError

    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise UsageError(
            f"cannot listen on {host}, port {port}: {error.strerror}", "choose another: --port 0"
        ) from None
