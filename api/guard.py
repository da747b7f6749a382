"""Around every request: an id, limits on what is read, security headers, one line in the log, no stack trace outside."""

import asyncio
import re
import secrets
import time

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api import tracing
from api.accounts.throttle import Rate, network
from api.errors import answer, too_large, too_often, too_slow
from api.metrics import counters
from api.settings import Settings

log = structlog.get_logger()
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
URL_KB, HEAD_KB, HEADERS, PARAMETERS = 8, 24, 64, 32
LOGGED_PATH = 300
SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}
HTTPS_ONLY = "max-age=31536000"


class Guard:
    """ASGI middleware, outermost."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings
        self._addresses = Rate(settings.requests_per_minute_of_an_address)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = _request_id(Headers(scope=scope))
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        https = self._settings.https or scope["scheme"] == "https"
        answered = _Answered(send, request_id, https=https)
        path = scope["path"][:LOGGED_PATH]
        traced = tracing.begin(path)
        started = time.perf_counter()
        try:
            app = self._refusal(scope) or self._app
            await app(scope, self._limited(receive), answered)
        except Exception:
            # The framework has answered 500 already and raises again for the server's log: this is that log.
            log.exception("request_failed", method=scope["method"], path=path)
            if not answered.status:
                await answer(500, "internal_error", "Something broke on our side.")(scope, receive, answered)
        took_s = time.perf_counter() - started
        # The length of a stream would say nothing of how quick we are.
        until_head_s = (answered.head_at or time.perf_counter()) - started
        counters.answered(scope, answered.status, until_head_s)
        if traced is not None:
            tracing.answered(traced, counters.template_of(scope), answered.status, until_head_s)
        log.info("request", method=scope["method"], path=path, status=answered.status, ms=round(took_s * 1000, 1))

    def _refusal(self, scope: Scope) -> ASGIApp | None:
        """What can be refused before anything is read."""
        if wait := self._wait_s(scope["client"]):
            refused = too_often(wait)
            return answer(refused.status, refused.code, refused.message, headers=refused.headers)
        headers, query = Headers(scope=scope), scope["query_string"]
        if len(scope["raw_path"]) + len(query) > URL_KB * 1024:
            return answer(414, "address_too_long", f"The address is over {URL_KB} KiB. Send long text in the body.")
        if query.count(b"&") >= PARAMETERS:
            return answer(422, "too_many_parameters", f"At most {PARAMETERS} parameters are taken. Leave some out.")
        head = sum(len(name) + len(value) for name, value in headers.raw)
        if head > HEAD_KB * 1024 or len(headers.raw) > HEADERS:
            message = f"At most {HEADERS} headers of {HEAD_KB} KiB together are taken. Clear this site's cookies."
            return answer(431, "headers_too_large", message)
        if self._settings.hosts and _host_name(headers.get("host", "")) not in self._settings.hosts | {""}:
            message = "This service is not known by this name. Its operator can set it: GRADUS_PUBLIC_URL."
            return answer(421, "unknown_host", message)
        if _announced(headers) > self._settings.body_kb * 1024:
            error = too_large(self._settings.body_kb)
            return answer(error.status_code, "body_too_large", error.detail)
        return None

    def _wait_s(self, client: tuple[str, int] | None) -> float:
        """How long this address has to wait. This machine has not: it speaks for its operator, or for people behind a proxy."""
        if client is None or client[0].startswith("127.") or client[0] == "::1":
            return 0.0
        return self._addresses.take(network(client[0]))

    def _limited(self, receive: Receive) -> Receive:
        """Receives the body within the limits of size and time; waiting for the end of the connection is no part of it."""
        settings, until = self._settings, asyncio.get_running_loop().time() + self._settings.body_s
        taken, more = 0, True

        async def limited() -> Message:
            nonlocal taken, more
            try:
                async with asyncio.timeout_at(until if more else None):
                    message = await receive()
            except TimeoutError:
                raise too_slow(settings.body_s) from None
            taken += len(message.get("body", b""))
            more = message.get("more_body", False)
            if taken > settings.body_kb * 1024:
                raise too_large(settings.body_kb)
            return message

        return limited


class _Answered:
    """Sends the response on with our headers, and remembers its status."""

    def __init__(self, send: Send, request_id: str, *, https: bool) -> None:
        self._send, self._request_id, self._https = send, request_id, https
        self.status, self.head_at = 0, 0.0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self.head_at = message["status"], time.perf_counter()
            headers = MutableHeaders(scope=message)
            headers["X-Request-ID"] = self._request_id
            for name, value in SECURITY.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
            if self._https:
                headers["Strict-Transport-Security"] = HTTPS_ONLY
        await self._send(message)


def _request_id(headers: Headers) -> str:
    given = headers.get("x-request-id", "")
    return given if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)


def _host_name(host: str) -> str:
    return (host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]).lower()


def _announced(headers: Headers) -> int:
    length = headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() else 0
