"""Serves the preview on localhost. Every request reads the author's files from disk, so pages are never stale."""

import hashlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

from grader.content import package, topic
from grader.gate.preview.pages import folder_page, listing


def server(root: Path, port: int) -> ThreadingHTTPServer:
    """Create a server on the loopback interface. Port 0 selects a free port. Raises OSError if the port is in use."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path, _, query = self.path.partition("?")
            text = answer(root, unquote(path), query)
            self.send_response(404 if text is None else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write((text or "<p>There is nothing here. <a href='/'>All pages</a></p>").encode())

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing, because an open page sends a request every second."""

    return ThreadingHTTPServer(("127.0.0.1", port), Handler)


def answer(root: Path, path: str, query: str) -> str | None:
    """Return the page at a path, or only the version of its folder if `query` is "version". Returns None if there is no such
    page.
    """
    if path == "/":
        return listing(root)
    kind, _, name = path.lstrip("/").partition("/")
    found = {"challenge": package.find, "topic": topic.find}.get(kind, lambda _: [])(root)
    folder = next((folder for folder in found if folder.name == name), None)
    if folder is None:
        return None
    now = version(folder)
    return now if query == "version" else folder_page(kind, folder, now)


def version(folder: Path) -> str:
    """Return a string that identifies the state of a folder. It changes whenever a file in the folder is added, changed or
    removed.
    """
    total = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
        total.update(f"{path}\0{path.stat().st_mtime_ns}\0".encode())
    return total.hexdigest()[:16]


def address(root: Path, name: str) -> str | None:
    """Return the URL path of the challenge or topic called `name`, or "/" if `name` is empty. Returns None if there is no such
    page.
    """
    if not name:
        return "/"
    for kind, find in (("challenge", package.find), ("topic", topic.find)):
        if any(folder.name == name for folder in find(root)):
            return f"/{kind}/{name}"
    return None
