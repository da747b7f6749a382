"""`gradus serve`: run the service until Ctrl+C."""

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

from api import logs
from api.app import create_app
from api.db import Database
from api.server import server_config
from api.settings import ConfigurationError, Settings
from api.single import only_one
from api.state import State

app = typer.Typer(add_completion=False)
# Of objects made since. What no cycle holds is given back at once all the same.
SELDOM = 50_000, 20, 50


@app.callback(invoke_without_command=True)
def serve(
    host: Annotated[str | None, typer.Option(help="Address to bind. Default: GRADUS_HOST or 127.0.0.1.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to bind. Default: GRADUS_PORT or 8000.")] = None,
) -> None:
    """Start the service and its local grading node. Every setting is an environment variable GRADUS_…"""
    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    try:
        settings = Settings(**given)  # type: ignore[arg-type]
        logs.configure(settings.log_format)
        asyncio.run(_look_at(settings.database))
        with only_one(settings.data_dir):
            server = _Server(settings)
    except ConfigurationError as error:
        _refuse(str(error))
    except ValidationError as error:
        _refuse("; ".join(f"GRADUS_{item['loc'][0]}".upper() + f": {item['msg']}" for item in error.errors()))
    # The port is taken before anything else happens: a service that cannot be reached must not touch the queue.
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[_bound(server.config)])


async def _look_at(url: str) -> None:
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
    # uvicorn has it inherited by workers of its own. The node is none: it would keep the port when the service was killed.
    bound.set_inheritable(False)
    # Connections inherit it. Else the body of an answer waits for the browser's delayed ACK of its head: 40 ms each.
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return bound


class _Server(uvicorn.Server):
    """uvicorn, but open event streams end at once on Ctrl+C instead of holding the shutdown up, and what is there from the start
    is not looked through for garbage.
    """

    def __init__(self, settings: Settings) -> None:
        service = create_app(settings)
        self._state: State = service.state.gradus
        super().__init__(server_config(service, settings))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """A tenth of the processor's time went into looking for cycles: in 290,000 objects that stay, far too often."""
        await super().startup(sockets)
        gc.collect()
        gc.freeze()
        gc.set_threshold(*SELDOM)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Tell the streams, then do as usual."""
        self._state.hub.close()
        super().handle_exit(sig, frame)


if __name__ == "__main__":
    app()
