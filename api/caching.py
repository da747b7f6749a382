"""Answers that are the same for everybody: who has one already is told so (304), and they travel compressed (the files of the
web client are compressed where they are kept, in `api.web`).

Only these are compressed. What is somebody's own is `no-store` and never is, so no secret ever shares a compressed body
with text of a stranger's choosing, whose length would give the secret away (BREACH).
"""

import hashlib
from typing import Annotated, Any

from fastapi import Depends, Header, Response, status
from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware, GZipResponder
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api import VERSION

NOT_MODIFIED: dict[int | str, dict[str, Any]] = {304: {"description": "What you have is still right."}}
ASK_AGAIN = "private, no-cache"
SMALLEST_ZIPPED = 1024
# Twice as quick as the best level, and within a few per cent of its size.
ZIP_LEVEL = 5


class Reader:
    """What a reader has already, by its ETag."""

    def __init__(
        self,
        response: Response,
        if_none_match: Annotated[
            str | None, Header(description="An ETag from before; answers 304 while it still holds.")
        ] = None,
    ) -> None:
        self._response, self._given = response, if_none_match or ""

    def has(self, *parts: str) -> Response | None:
        """The 304 to answer with if the reader has what `parts` name; else None, and the answer is marked with its ETag."""
        digest = hashlib.sha256("\0".join((VERSION, *parts)).encode()).hexdigest()[:24]
        # Weak: compressed or not, it is the same content.
        headers = {"ETag": f'W/"{digest}"', "Cache-Control": ASK_AGAIN}
        given = [part.strip().removeprefix("W/") for part in self._given.split(",")]
        if f'"{digest}"' in given or given == ["*"]:
            return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)
        self._response.headers.update(headers)
        return None


Has = Annotated[Reader, Depends(Reader)]


def takes_gzip(scope: Scope) -> bool:
    """Whether whoever asks can read gzip."""
    return "gzip" in Headers(scope=scope).get("accept-encoding", "")


class Compressed(GZipMiddleware):
    """ASGI middleware: compresses answers that carry an ETag, for those who take it."""

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
