"""Gives every request an id, measures and logs it, and turns an unexpected exception into a response without a stack trace."""

import re
import secrets
import time

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.kit import metrics, tracing
from api.kit.errors import answer

log = structlog.get_logger()
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
# Maximum number of characters of a path that are logged.
LOGGED_PATH = 300
PROBES = ("/healthz", "/readyz", "/api/health", "/api/ready")


class RequestLog:
    """ASGI middleware that logs requests. Every middleware that can fail or refuse a request must run inside this one, so that
    its responses are logged too.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = _request_id(Headers(scope=scope))
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        response = _ResponseHead(send, request_id)
        path = scope["path"][:LOGGED_PATH]
        traced = tracing.begin(path)
        started = time.perf_counter()
        try:
            await self._app(scope, receive, response)
        except Exception:
            # Starlette has usually sent a 500 response already, and raises the exception again so that the server logs it. The
            # exception is logged here instead, with the id of the request.
            log.exception("request_failed", method=scope["method"], path=path)
            if not response.status:
                await answer(500, "internal_error", "The service failed unexpectedly. Try again.")(
                    scope, receive, response
                )
        took_s = time.perf_counter() - started
        # Metrics and traces measure the time until the head of the response is sent. An event stream stays open for up to an
        # hour, so its whole duration says nothing about speed.
        until_head_s = (response.sent_at or time.perf_counter()) - started
        metrics.answered(scope, response.status, until_head_s)
        if traced is not None:
            tracing.answered(traced, metrics.template_of(scope), response.status, until_head_s)
        # Successful health probes come every few seconds, so they are logged at debug level only.
        tell = log.debug if path in PROBES and response.status == 200 else log.info
        tell("request", method=scope["method"], path=path, status=response.status, ms=round(took_s * 1000, 1))


class _ResponseHead:
    """Adds the request id to a response, and records its status and when its head was sent."""

    def __init__(self, send: Send, request_id: str) -> None:
        self._send, self._request_id = send, request_id
        self.status, self.sent_at = 0, 0.0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self.sent_at = message["status"], time.perf_counter()
            MutableHeaders(scope=message)["X-Request-ID"] = self._request_id
        await self._send(message)


def _request_id(headers: Headers) -> str:
    given = headers.get("x-request-id", "")
    return given if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
