"""Serves the web client that `npm run build` has built. A path that is no file gets index.html, except below /assets."""

import functools
import gzip
import re
from collections.abc import Iterator
from mimetypes import guess_type
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from api.kit.http.caching import takes_gzip
from api.kit.http.preload_links import Preloads

# Content security policy of the client's pages. Inline styles are allowed, because the editor, KaTeX and the component
# library set them. Inline scripts are not. WebAssembly is allowed, because the editor's formatter is compiled to it.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",
        "font-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
# Values of `Cache-Control`. FOR_EVER is for files whose name contains a digest of their content, so that they never change.
# AN_HOUR is for other files. ASK_AGAIN is for pages: browsers ask each time whether the page has changed.
FOR_EVER, AN_HOUR, ASK_AGAIN = "public, max-age=31536000, immutable", "public, max-age=3600", "no-cache"
# The endings of the compressed copies that the build writes, by the name of their coding, the best one first.
COMPRESSED = {"br": ".br", "gzip": ".gz"}
_REFUSED = re.compile(r";\s*q=0(\.0*)?\s*$")
# Pages behind a secret link, which search engines must not keep.
UNLISTED = ("/take/", "/report/")
# Paths of the client's pages. Any other path gets status 404.
PAGE = re.compile(
    r"/(catalogue|search|tracks|cards|interview|leaderboard|weekly|submissions|sign-in|set-up|reset|verify|account|speed)?"
    r"|/interview/[0-9a-f]{32}(/[0-9]{1,2})?|/(people|shared)/[0-9a-f]{32}"
    r"|/(topics|challenges|tracks)/[a-z0-9-]{1,100}(/quiz)?"
    r"|/challenges/[a-z0-9-]{1,100}/speed(/[0-9a-f]{32})?"
    r"|/suggest|/my-reports"
    r"|/join|/teams(/[0-9a-f]{32}(/(members|leaderboard|activity|connections|challenges(/[0-9a-f]{32}(/rejudge)?)?))?)?"
    r"|/teams/[0-9a-f]{32}/assessments/[0-9a-f]{32}(/(preview|invitations|live|results|people/[0-9a-f]{32}))?"
    r"|/teams/[0-9a-f]{32}/rooms|/rooms/(join|[0-9a-f]{32}(/replay)?)"
    r"|/(take|report)/[A-Za-z0-9_-]{1,200}|/participation(/[0-9]{1,2})?"
    r"|/admin(/(accounts(/[0-9a-f]{32})?|queue|reports|suggestions|rejudges|catalogue|measurements|audit)?)?"
)


def client(folder: Path) -> ASGIApp | None:
    """Return the app that serves the client in `folder`, or None if the client has not been built."""
    return _Client(folder) if (folder / "index.html").is_file() else None


class _Client:
    def __init__(self, folder: Path) -> None:
        self._pages = Preloads(folder)
        # The folder is listed only once, at startup. Files that are added later are not served.
        self._files = {f"/{path.relative_to(folder).as_posix()}": _File(path) for path in _files(folder)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await WebSocketClose()(scope, receive, send)
            return
        await self._answer(scope)(scope, receive, send)

    def _answer(self, scope: Scope) -> Response:
        path = scope["path"]
        if path == "/api" or path.startswith("/api/"):
            raise HTTPException(404)
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405)
        if path in self._files:
            kept = FOR_EVER if path.startswith("/assets/") else AN_HOUR
            return self._files[path].answer(kept, Headers(scope=scope).get("accept-encoding", ""))
        if path.startswith("/assets/"):
            raise HTTPException(404)
        headers = {"Cache-Control": ASK_AGAIN, "Content-Security-Policy": POLICY}
        # A path that is no page of the client gets index.html too, and the client then says that the page does not exist. The
        # status is 404.
        status = 200 if PAGE.fullmatch(path) else 404
        if path.startswith(UNLISTED):
            headers["X-Robots-Tag"] = "noindex, nofollow"
        page = self._pages.html(path).encode()
        if takes_gzip(scope):
            headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
            page = gzip.compress(page)
        return HTMLResponse(page, status, headers=headers)


class _File:
    """A file of the built client. The build has written compressed copies beside it, where that makes it smaller. Each copy is
    kept in memory after its first request, because the first visit of a browser requests dozens of files.
    """

    def __init__(self, path: Path) -> None:
        self._type = guess_type(path.name)[0] or "application/octet-stream"
        copies = {coding: path.with_name(path.name + ending) for coding, ending in COMPRESSED.items()}
        self._copies = {coding: copy for coding, copy in copies.items() if copy.is_file()}
        self._read = functools.cache(lambda coding: (self._copies[coding] if coding else path).read_bytes())

    def answer(self, kept: str, accepted: str) -> Response:
        """Return a response with the file. `kept` is the value of the Cache-Control header, `accepted` that of the request's
        Accept-Encoding header.
        """
        headers = {"Cache-Control": kept, "Vary": "Accept-Encoding"}
        codings = {each.split(";")[0].strip() for each in accepted.split(",") if not _REFUSED.search(each)}
        coding = next((each for each in self._copies if each in codings), "")
        if coding:
            headers["Content-Encoding"] = coding
        return Response(self._read(coding), headers=headers, media_type=self._type)


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files that browsers may request. Hidden folders, in which Vite keeps internal files, and compressed copies are
    left out.
    """
    for path in folder.rglob("*"):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.is_file() and not hidden and path.suffix not in COMPRESSED.values():
            yield path
