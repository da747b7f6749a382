"""The web client as `npm run build` left it. An address that is no file is a page of the client: it gets index.html."""

import re
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from api.preloads import Preloads

# Styles may be inline: the editor, KaTeX and the component library set them. Scripts may not.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "font-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
# A built file has the digest of its content in its name: it never changes.
FOR_EVER, AN_HOUR, ASK_AGAIN = "public, max-age=31536000, immutable", "public, max-age=3600", "no-cache"
PAGE = re.compile(
    r"/(catalogue|search|tracks|cards|interview|leaderboard|submissions|sign-in|reset|verify|account)?"
    r"|/interview/[0-9a-f]{32}(/[0-9]{1,2})?|/(people|shared)/[0-9a-f]{32}"
    r"|/(topics|challenges|tracks)/[a-z0-9-]{1,100}(/quiz)?"
    r"|/suggest|/my-reports"
    r"|/join|/teams(/[0-9a-f]{32}(/(members|connections|challenges(/[0-9a-f]{32})?))?)?"
    r"|/teams/[0-9a-f]{32}/assessments/[0-9a-f]{32}(/(preview|invitations|live|results|people/[0-9a-f]{32}))?"
    r"|/take/[A-Za-z0-9_-]{1,200}|/participation(/[0-9]{1,2})?"
    r"|/admin(/(accounts(/[0-9a-f]{32})?|queue|reports|suggestions|rejudges|catalogue|audit)?)?"
)


def client(folder: Path) -> ASGIApp | None:
    """The client in `folder`; None if it has not been built."""
    return _Client(folder) if (folder / "index.html").is_file() else None


class _Client:
    def __init__(self, folder: Path) -> None:
        self._pages = Preloads(folder)
        # Read once: nothing but what was there at the start is ever opened.
        self._files = {f"/{path.relative_to(folder).as_posix()}": path for path in folder.rglob("*") if path.is_file()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._answer(scope)(scope, receive, send)

    def _answer(self, scope: Scope) -> Response:
        path = scope["path"]
        if path == "/api" or path.startswith("/api/"):
            raise HTTPException(404)
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405)
        if path in self._files:
            kept = FOR_EVER if path.startswith("/assets/") else AN_HOUR
            return FileResponse(self._files[path], headers={"Cache-Control": kept})
        if path.startswith("/assets/"):
            raise HTTPException(404)
        headers = {"Cache-Control": ASK_AGAIN, "Content-Security-Policy": POLICY}
        # The client says that there is nothing; the status says so too.
        status = 200 if PAGE.fullmatch(path) else 404
        return HTMLResponse(self._pages.html(path), status, headers=headers)
