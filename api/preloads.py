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
        self._page = (folder / "index.html").read_text()
        manifest = folder / MANIFEST
        self._chunks: dict[str, Any] = json.loads(manifest.read_text()) if manifest.is_file() else {}

    def html(self, path: str) -> str:
        """The page at an address; without links where nothing is known about it."""
        for address, modules, data in BEGINNINGS:
            if found := address.fullmatch(path):
                urls = [escape(one.format_map(found.groupdict())) for one in data]
                # The data first: it is small, takes the service a moment, and would wait behind all the scripts.
                first = "".join(f'<link rel="preload" as="fetch" crossorigin href="{url}">' for url in urls)
                page = self._page.replace("<title>", f"{first}<title>", 1)
                return page.replace("</head>", "".join((*self._links(modules), "</head>")), 1)
        return self._page

    def _links(self, modules: tuple[str, ...]) -> Iterator[str]:
        chunks = self._needed(modules)
        styles = dict.fromkeys(style for chunk in chunks for style in chunk.get("css", ()))
        links = [f'<link rel="stylesheet" crossorigin href="/{style}">' for style in styles]
        links += [f'<link rel="modulepreload" crossorigin href="/{chunk["file"]}">' for chunk in chunks]
        return (link for link in links if link not in self._page)

    def _needed(self, modules: tuple[str, ...]) -> list[dict[str, Any]]:
        """The chunks of some modules and of all that they import, each once, in the order in which they are needed."""
        found: dict[str, dict[str, Any]] = {}
        waiting = [module for module in modules if module in self._chunks]
        while waiting:
            chunk = self._chunks[waiting.pop(0)]
            if chunk["file"] not in found and not chunk.get("isEntry"):
                found[chunk["file"]] = chunk
                waiting += chunk.get("imports", ())
        return list(found.values())
