"""The command `gradus serve`, which runs the service until Ctrl+C."""

import asyncio
import contextlib
import gc
import socket
import sys
from types import FrameType
from typing import Annotated, NoReturn

import typer
import uvicorn
from pydantic import ValidationError

from api.app import create_app
from api.judging.submissions.events import EventHub
from api.kit import logs
from api.kit.db.database import Database
from api.kit.http.provided import lookup
from api.kit.http.server import server_config
from api.kit.process_lock import only_one
from api.settings import ConfigurationError, Settings

app = typer.Typer(add_completion=False)
# Thresholds of Python's cyclic garbage collector after startup. They are higher than Python's defaults, so the collector runs
# less often. Objects that are not in a cycle are freed immediately, regardless of the thresholds.
GC_THRESHOLDS = 50_000, 20, 50


@app.callback(invoke_without_command=True)
def serve(
    host: Annotated[str | None, typer.Option(help="Address to bind. Default: GRADUS_HOST or 127.0.0.1.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to bind. Default: GRADUS_PORT or 8000.")] = None,
) -> None:
    """Start the service and its local grading node. All settings are environment variables that begin with GRADUS_."""
    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    try:
        settings = Settings(**given)  # type: ignore[arg-type]
        logs.configure(settings.log_format)
        asyncio.run(_check_database(settings.database))
        with only_one(settings.data_dir):
            server = _Server(settings)
    except ConfigurationError as error:
        _refuse(str(error))
    except ValidationError as error:
        _refuse("; ".join(f"GRADUS_{item['loc'][0]}".upper() + f": {item['msg']}" for item in error.errors()))
    # The port is bound before the service starts. If another program uses the port, the service must exit at once, and must not
    # begin to judge the submissions in the queue.
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[_bound(server.config)])


async def _check_database(url: str) -> None:
    database = Database(url)
    try:
        await database.require_usable()
    finally:
        await database.close()


def _refuse(reason: str) -> NoReturn:
    typer.echo(f"gradus serve: {reason}", err=True)
    sys.exit(2)


def _bound(config: uvicorn.Config) -> socket.socket:
    try:
        bound = config.bind_socket()
    except SystemExit:
        _refuse(f"cannot listen on {config.host}, port {config.port}; choose another with --host or --port.")
    # uvicorn makes the socket inheritable for its worker processes. This is undone here, because the local node is a child
    # process too: if the service were killed, a node that had inherited the socket would keep the port open.
    bound.set_inheritable(False)
    # Accepted connections inherit this option. Without it, the body of each response waits 40 ms for the client's delayed
    # ACK of the response head.
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return bound


class _Server(uvicorn.Server):
    """A uvicorn server with two changes. Ctrl+C closes open event streams immediately, so that they do not delay the
    shutdown, and the garbage collector ignores the objects that exist at startup.
    """

    def __init__(self, settings: Settings) -> None:
        service = create_app(settings)
        self._hub = lookup(service, EventHub)
        super().__init__(server_config(service, settings))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the server, then exclude all existing objects from garbage collection. These are 290,000 objects that live as
        long as the process. If the collector examined them, it would need a tenth of the CPU time.
        """
        await super().startup(sockets)
        gc.collect()
        gc.freeze()
        gc.set_threshold(*GC_THRESHOLDS)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Close all event streams, then handle the signal as uvicorn does."""
        self._hub.close()
        super().handle_exit(sig, frame)


if __name__ == "__main__":
    app()
