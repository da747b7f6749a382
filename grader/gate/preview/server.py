"""Serves the preview to this machine alone; every page is read anew from its folder."""

import hashlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

from grader import package, topic
from grader.gate.preview.pages import folder_page, listing


def server(root: Path, port: int) -> ThreadingHTTPServer:
    """A server on loopback; port 0 takes any free one. Raises OSError when the port is taken."""

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
            """Quiet: the page asks every second."""

    return ThreadingHTTPServer(("127.0.0.1", port), Handler)


def answer(root: Path, path: str, query: str) -> str | None:
    """The page at an address, its version if only that is asked for, None if there is none."""
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
    """Changes whenever a file below the folder does."""
    total = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
        total.update(f"{path}\0{path.stat().st_mtime_ns}\0".encode())
    return total.hexdigest()[:16]


def address(root: Path, name: str) -> str | None:
    """The address of a challenge's or a topic's page by its name; the list's for no name; None if there is none."""
    if not name:
        return "/"
    for kind, find in (("challenge", package.find), ("topic", topic.find)):
        if any(folder.name == name for folder in find(root)):
            return f"/{kind}/{name}"
    return None
