"""index.html for each page of the client, with links to the modules and the data that the page begins with: a browser asks for
them together with the page, not one after the other as each finds out about the next.
"""

import json
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

# What each page begins with, by its address: modules of the client, and what it asks the service for.
_SLUG = r"(?P<slug>[a-z0-9-]{1,100})"
_WORK = ("src/pages/Challenge.tsx", "src/challenge/Editor.tsx", "src/parts/Rendered.tsx")
BEGINNINGS: tuple[tuple[re.Pattern[str], tuple[str, ...], tuple[str, ...]], ...] = (
    (re.compile("/"), (), ("/api/me",)),
    (re.compile("/catalogue"), ("src/pages/Catalogue.tsx",), ("/api/me",)),
    (re.compile(f"/challenges/{_SLUG}"), _WORK, ("/api/me", "/api/challenges/{slug}")),
    (re.compile(f"/topics/{_SLUG}"), ("src/pages/Topic.tsx", "src/parts/Rendered.tsx"), ("/api/me",)),
    (re.compile("/participation.*"), ("src/pages/Participation.tsx", *_WORK[1:]), ()),
)
MANIFEST = ".vite/manifest.json"


class Preloads:
    """index.html of a built client. `folder` is where `npm run build` left it."""

    def __init__(self, folder: Path) -> None:
        self._head, *self._rest = (folder / "index.html").read_text().partition("</head>")
        manifest = folder / MANIFEST
        self._chunks: dict[str, Any] = json.loads(manifest.read_text()) if manifest.is_file() else {}

    def html(self, path: str) -> str:
        """The page at an address; without links where nothing is known about it."""
        return "".join((self._head, *self._links(path), *self._rest))

    def _links(self, path: str) -> Iterator[str]:
        for address, modules, data in BEGINNINGS:
            if found := address.fullmatch(path):
                yield from (f'<link rel="modulepreload" crossorigin href="/{file}">' for file in self._files(modules))
                for one in data:
                    url = escape(one.format_map(found.groupdict()))
                    yield f'<link rel="preload" as="fetch" crossorigin href="{url}">'
                return

    def _files(self, modules: tuple[str, ...]) -> dict[str, None]:
        """The files of some modules and of all that they import, each once, in the order in which they are needed."""
        files: dict[str, None] = {}
        waiting = [module for module in modules if module in self._chunks]
        while waiting:
            chunk = self._chunks[waiting.pop(0)]
            if chunk["file"] not in files and not chunk.get("isEntry"):
                files[chunk["file"]] = None
                waiting += chunk.get("imports", ())
        return files
