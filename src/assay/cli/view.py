"""`assay view`: the same page, live."""

import secrets
import socket
from pathlib import Path

import click

LOOPBACK = ("127.0.0.1", "::1", "localhost")


@click.command()
@click.argument("results", type=click.Path(path_type=Path), default=Path("results"))
@click.option("--port", type=click.IntRange(0, 65535), default=8123, show_default=True, help="0 takes a free one.")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Off loopback, the address has a token."
)
def command(results: Path, port: int, host: str) -> None:
    """Show RESULTS on a page that follows a sweep while it runs. Read-only. Ctrl-C ends it."""
    import uvicorn

    from assay.errors import UsageError
    from assay.report.server import application
    from assay.runs.record import run_folders

    run_folders(results)
    token = None if host in LOOPBACK else secrets.token_urlsafe(24)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family)
    except OSError as error:
        raise UsageError(
            f"cannot listen on {host}, port {port}: {error.strerror}", "choose another: --port 0"
        ) from None
    port = listener.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    click.echo(f"http://{shown}:{port}/" + (f"?token={token}" if token else ""))
    app = application(results, token, LOOPBACK if token is None else (host, *LOOPBACK, socket.gethostname()))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False))
    server.run(sockets=[listener])
