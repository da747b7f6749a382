"""Where Prometheus reads: `/metrics` on a port of its own, on which nothing else is served. Off unless a port is set."""

import asyncio
import contextlib
import socket

import uvicorn
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from api.guard import SECURITY
from api.metrics import figures
from api.server import server_config
from api.settings import ConfigurationError
from api.state import State


class _Server(uvicorn.Server):
    """uvicorn beside another one, which alone hears signals."""

    capture_signals = contextlib.nullcontext  # type: ignore[assignment]


class Metrics:
    """The listener, from `start` to `stop`."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._server: _Server | None = None
        self._serving: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Listen, if a port is set. Raises `ConfigurationError` when the port is taken."""
        settings = self._state.settings
        if not settings.metrics_port:
            return
        try:
            listening = socket.create_server((settings.metrics_host, settings.metrics_port))
        except OSError:
            where = f"{settings.metrics_host}, port {settings.metrics_port}"
            raise ConfigurationError(
                f"cannot listen for metrics on {where}; choose another GRADUS_METRICS_PORT."
            ) from None
        self._server = _Server(server_config(self._answer, settings, lifespan="off", interface="asgi3"))  # type: ignore[arg-type]
        self._serving = asyncio.create_task(self._server.serve(sockets=[listening]))

    async def stop(self) -> None:
        """Listen no more."""
        if self._server is not None and self._serving is not None:
            self._server.should_exit = True
            await self._serving

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = Response(status_code=404, headers=SECURITY)
        if scope["path"] == "/metrics" and scope["method"] in ("GET", "HEAD"):
            text = await figures.text(self._state)
            response = PlainTextResponse(text, headers=SECURITY, media_type=CONTENT_TYPE_LATEST)
        await response(scope, receive, send)
