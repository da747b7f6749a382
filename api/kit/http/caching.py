"""Conditional and compressed responses, for content that is the same for every user. A client that already has the current
version gets a 304. (Files of the web client are compressed in `api.kit.http.static_client`.)

No other responses of the API are compressed. Responses with personal data are marked `no-store`. If a secret were compressed
together with text that an attacker chose, the length of the response would reveal the secret (the BREACH attack).
"""

import gzip
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Depends, Header, Request, Response, status
from pydantic import BaseModel
from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware, GZipResponder
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api import VERSION

NOT_MODIFIED: dict[int | str, dict[str, Any]] = {304: {"description": "Your copy is still current."}}
ASK_AGAIN = "private, no-cache"
# Headers of responses that other sites may show. Caches keep them for a minute.
SHARED = {
    "Cache-Control": "public, max-age=60",
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
# Responses with fewer bytes than this are not compressed.
SMALLEST_ZIPPED = 1024
# The gzip level. Level 5 is twice as fast as level 9, which compresses best, and its result is only a few per cent larger.
ZIP_LEVEL = 5
# How many bodies a cache keeps. Each has up to 60 KiB, and there are more different searches than anybody could store.
BODIES = 256


class BodyCache:
    """The bodies of responses that are the same for every user, as JSON and compressed, ready to be sent. The bodies that were
    requested last are kept. Create a new cache when the content changes.
    """

    def __init__(self) -> None:
        self._bodies: OrderedDict[str, tuple[bytes, bytes | None]] = OrderedDict()

    def get(self, key: str, build: Callable[[], BaseModel]) -> tuple[bytes, bytes | None]:
        """Return a body as JSON, and compressed unless it is too small for that. Call `build` if it is not in the cache."""
        if key not in self._bodies:
            plain = build().model_dump_json(by_alias=True).encode()
            self._bodies[key] = plain, gzip.compress(plain, ZIP_LEVEL) if len(plain) >= SMALLEST_ZIPPED else None
            if len(self._bodies) > BODIES:
                self._bodies.popitem(last=False)
        self._bodies.move_to_end(key)
        return self._bodies[key]


class Reader:
    """Tells whether a client already has the current version of a response, by the ETags that it sent in `If-None-Match`."""

    def __init__(self, request: Request, response: Response, given: str) -> None:
        self._request, self._response, self._given = request, response, given

    def has(self, *parts: str) -> Response | None:
        """Return a 304 response if the client already has the version of the response that `parts` identify. Otherwise return
        None, and set the ETag of this version on the response that the route will send.
        """
        headers = _headers(_digest(parts))
        if self._is_current(headers):
            return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)
        self._response.headers.update(headers)
        return None

    def answer(self, bodies: BodyCache, build: Callable[[], BaseModel], *parts: str) -> Response:
        """Return a 304 response if the client already has the version that `parts` identify. Otherwise return a response with
        the body from the cache, or the one that `build` returns.
        """
        digest = _digest(parts)
        headers = _headers(digest)
        if self._is_current(headers):
            return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)
        plain, zipped = bodies.get(digest, build)
        if zipped is not None and takes_gzip(self._request.scope):
            headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
            plain = zipped
        return Response(plain, headers=headers, media_type="application/json")

    def public(self, body: bytes, media_type: str, headers: dict[str, str]) -> Response:
        """Return a response that is the same for everybody, and that pages of other sites may read and show. If the client
        already has it, return a 304 response.
        """
        headers = {**_headers(_digest((body.decode(),))), **SHARED, **headers}
        if self._is_current(headers):
            return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)
        return Response(body, headers=headers, media_type=media_type)

    def _is_current(self, headers: dict[str, str]) -> bool:
        given = [part.strip().removeprefix("W/") for part in self._given.split(",")]
        return headers["ETag"].removeprefix("W/") in given or given == ["*"]


def _digest(parts: tuple[str, ...]) -> str:
    return hashlib.sha256("\0".join((VERSION, *parts)).encode()).hexdigest()[:24]


def _headers(digest: str) -> dict[str, str]:
    # The ETag is weak (W/), because it is the same for the compressed and the uncompressed response.
    return {"ETag": f'W/"{digest}"', "Cache-Control": ASK_AGAIN}


async def reader(
    request: Request,
    response: Response,
    if_none_match: Annotated[
        str | None, Header(description="The ETag of an earlier response; the response is 304 while it is current.")
    ] = None,
) -> Reader:
    """Return the reader of a request. This is a function, because FastAPI would run the class in a thread."""
    return Reader(request, response, if_none_match or "")


Has = Annotated[Reader, Depends(reader)]


def takes_gzip(scope: Scope) -> bool:
    """Return whether the client accepts gzip."""
    return "gzip" in Headers(scope=scope).get("accept-encoding", "")


class Compressed(GZipMiddleware):
    """ASGI middleware that compresses responses which have an ETag, if the client accepts gzip."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app, minimum_size=SMALLEST_ZIPPED, compresslevel=ZIP_LEVEL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and takes_gzip(scope):
            await _Zipped(self.app, SMALLEST_ZIPPED, compresslevel=ZIP_LEVEL)(scope, receive, send)
        else:
            await self.app(scope, receive, send)


class _Zipped(GZipResponder):
    _as_it_is = False

    async def send_with_compression(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._as_it_is = "etag" not in Headers(raw=message["headers"])
        await (self.send(message) if self._as_it_is else super().send_with_compression(message))
