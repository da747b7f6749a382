"""Refuses requests that come too often, are too large, arrive too slowly, or name an unknown host."""

import asyncio

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.kit.errors import AddressTooLong, answer, too_large, too_often, too_slow
from api.kit.http.throttle import Rate, network
from api.settings import Settings

# Limits of one request: the size of the URL in KiB, the size of all headers together in KiB, the number of headers, and the
# number of query parameters.
URL_KB, HEAD_KB, HEADERS, PARAMETERS = 8, 24, 64, 32


class RequestLimits:
    """ASGI middleware that limits the requests per client address, the sizes of URL, headers and body, and the time to send
    the body.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings, self._hosts = app, settings, settings.hosts
        self._addresses = Rate(settings.requests_per_minute_of_an_address)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        app = self._refusal(scope) or self._app
        await app(scope, self._limited(receive) if scope["type"] == "http" else receive, send)

    def _refusal(self, scope: Scope) -> ASGIApp | None:
        """Return the error response for a request that exceeds a limit before its body is read, or None to let it through."""
        if wait := self._wait_s(scope["client"]):
            refused = too_often(wait)
            return answer(refused.status, refused.code, refused.message, headers=refused.headers)
        headers, query = Headers(scope=scope), scope["query_string"]
        if len(scope["raw_path"]) + len(query) > URL_KB * 1024:
            return answer(
                AddressTooLong.status,
                AddressTooLong.code,
                f"The address is over {URL_KB} KiB. Send long text in the body.",
            )
        if query.count(b"&") >= PARAMETERS:
            return answer(422, "too_many_parameters", f"At most {PARAMETERS} parameters are allowed. Leave some out.")
        head = sum(len(name) + len(value) for name, value in headers.raw)
        if head > HEAD_KB * 1024 or len(headers.raw) > HEADERS:
            message = f"At most {HEADERS} headers of {HEAD_KB} KiB in total are allowed. Clear this site's cookies."
            return answer(431, "headers_too_large", message)
        if self._hosts and _host_name(headers.get("host", "")) not in self._hosts | {""}:
            message = (
                "This service does not respond to this host name. Its operator can set the name with GRADUS_PUBLIC_URL."
            )
            return answer(421, "unknown_host", message)
        if _announced(headers) > self._settings.body_kb * 1024:
            error = too_large(self._settings.body_kb)
            return answer(error.status_code, "body_too_large", error.detail)
        return None

    def _wait_s(self, client: tuple[str, int] | None) -> float:
        """Count a request of this client. Returns after how many seconds the client may send requests again, or 0 if it may
        now. Loopback addresses are not limited: they belong to the operator, or to a proxy that forwards the requests of many
        users.
        """
        if client is None or client[0].startswith("127.") or client[0] == "::1":
            return 0.0
        return self._addresses.take(network(client[0]))

    def _limited(self, receive: Receive) -> Receive:
        """Wrap `receive` so that it raises an error if the body is too large or does not arrive in time. After the body is
        complete, `receive` may wait without a limit, because it then waits for the client to disconnect.
        """
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


def _host_name(host: str) -> str:
    return (host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]).lower()


def _announced(headers: Headers) -> int:
    length = headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() else 0
