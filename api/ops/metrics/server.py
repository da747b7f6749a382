"""Serves `/metrics` for Prometheus, and nothing else, on a separate port. This server is off unless `metrics_port` is set."""

import asyncio
import contextlib
import socket

import uvicorn
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from api.content.catalogue.service import CatalogueStore
from api.judging.dispatch.dispatcher import Dispatcher
from api.kit.http.security_headers import SECURITY
from api.kit.http.server import server_config
from api.ops.metrics import figures
from api.settings import ConfigurationError


class _Server(uvicorn.Server):
    """A second uvicorn server in this process. It handles no signals, because the main server does."""

    capture_signals = contextlib.nullcontext  # type: ignore[assignment]


class Metrics:
    """The server for metrics. It runs from `start` to `stop`."""

    def __init__(self, dispatcher: Dispatcher, store: CatalogueStore) -> None:
        self._dispatcher, self._store = dispatcher, store
        self._server: _Server | None = None
        self._serving: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start to serve, if a port is set. Raises `ConfigurationError` if the port is in use."""
        settings = self._dispatcher.settings
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
        if self._server is not None and self._serving is not None:
            self._server.should_exit = True
            await self._serving

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = Response(status_code=404, headers=SECURITY)
        if scope["path"] == "/metrics" and scope["method"] in ("GET", "HEAD"):
            text = await figures.text(self._dispatcher, self._store)
            response = PlainTextResponse(text, headers=SECURITY, media_type=CONTENT_TYPE_LATEST)
        await response(scope, receive, send)
