"""Adds preload links to index.html for the modules and the data that a page of the client needs first. The browser then
requests them together with the page, instead of discovering them one after the other.
"""

import json
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

_SLUG = r"(?P<slug>[a-z0-9-]{1,100})"
_WORK = (
    "src/features/challenges/ChallengePage.tsx",
    "src/features/editor/Editor.tsx",
    "src/shared/markdown/RenderedMarkdown.tsx",
)
# What the browser needs first on each page. An entry consists of a pattern that the page's path matches, the modules of the
# client to load, and the API paths to request.
BEGINNINGS: tuple[tuple[re.Pattern[str], tuple[str, ...], tuple[str, ...]], ...] = (
    (re.compile("/"), (), ("/api/me", "/api/catalogue")),
    (re.compile("/catalogue"), ("src/features/catalogue/CataloguePage.tsx",), ("/api/me",)),
    (re.compile(f"/challenges/{_SLUG}"), _WORK, ("/api/me", "/api/challenges/{slug}", "/formulas/{slug}.json")),
    (
        re.compile(f"/topics/{_SLUG}"),
        ("src/features/topics/TopicPage.tsx", "src/shared/markdown/RenderedMarkdown.tsx"),
        ("/api/me",),
    ),
    (re.compile("/participation.*"), ("src/features/participations/ParticipationPage.tsx", *_WORK[1:]), ()),
)
MANIFEST = ".vite/manifest.json"


class Preloads:
    """Provides the index.html of a built client. `folder` is the output of `npm run build`."""

    def __init__(self, folder: Path) -> None:
        self._page = (folder / "index.html").read_text()
        # Only statements with formulas have a file of them.
        self._formulas = {f"/formulas/{path.name}" for path in folder.glob("formulas/*.json")}
        manifest = folder / MANIFEST
        self._chunks: dict[str, Any] = json.loads(manifest.read_text()) if manifest.is_file() else {}

    def html(self, path: str) -> str:
        """Return index.html with the preload links of the page at `path`, or without links if the page has none."""
        for address, modules, data in BEGINNINGS:
            if found := address.fullmatch(path):
                urls = [one.format_map(found.groupdict()) for one in data]
                urls = [url for url in urls if url in self._formulas or not url.startswith("/formulas/")]
                # The links to data come before the links to scripts. The responses with data are small, but they take time to
                # compute, so they would arrive last if they were requested last.
                first = "".join(f'<link rel="preload" as="fetch" crossorigin href="{escape(url)}">' for url in urls)
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
        """Return the chunks (files of the built client) of these modules, then the chunks of everything that they import. Each
        chunk is returned once.
        """
        found: dict[str, dict[str, Any]] = {}
        waiting = [module for module in modules if module in self._chunks]
        while waiting:
            chunk = self._chunks[waiting.pop(0)]
            if chunk["file"] not in found and not chunk.get("isEntry"):
                found[chunk["file"]] = chunk
                waiting += chunk.get("imports", ())
        return list(found.values())
