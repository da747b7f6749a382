"""Draws small SVG images for pages of other sites: the first places of a board, and a person's standing. They contain no script
and load nothing, and follow the colour scheme of the reader.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from api.kit.http.caching import NOT_MODIFIED
from api.practice.feeds.feeds import xml_text

MEDIA_TYPE = "image/svg+xml"
RESPONSES: dict[int | str, dict[str, Any]] = {
    **NOT_MODIFIED,
    200: {"content": {MEDIA_TYPE: {}}, "description": "An image."},
}
# The policy for an image that is opened as a page of its own.
HEADERS = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"}
WIDTH, ROW, TOP, NAME_AT, MARGIN = 400, 34, 58, 62, 20
# The widest name in half-width columns, and the most characters, of which accents take no column.
COLUMNS, CHARACTERS = 25, 60
STYLE = """
text { font: 15px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1d1b18; }
.card { fill: #fffdf9; stroke: #d9d3c7; }
.title { font-weight: 600; font-size: 16px; }
.soft { fill: #6a6459; }
.figure { text-anchor: end; font-variant-numeric: tabular-nums; }
.rank { text-anchor: middle; font-weight: 600; }
.first { fill: #ffb020; }
.on-first { fill: #1d1b18; }
@media (prefers-color-scheme: dark) {
  text { fill: #f1ede6; }
  .card { fill: #1f1d1a; stroke: #47433c; }
  .soft { fill: #b3aca0; }
  .on-first { fill: #1d1b18; }
}
"""


@dataclass(frozen=True)
class Line:
    """A line of an image: a rank, a name and a figure, such as 120 points."""

    rank: str
    name: str
    figure: str


def image(title: str, lines: Sequence[Line], empty: str) -> bytes:
    """Draw a card with a title and these lines, or with the text `empty` if there are none."""
    height = TOP + ROW * max(1, len(lines)) + 12
    size = {"width": str(WIDTH), "height": str(height), "viewBox": f"0 0 {WIDTH} {height}"}
    root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", **size})
    said = "; ".join(" ".join((line.rank, xml_text(line.name), line.figure)).strip() for line in lines)
    SubElement(root, "title").text = f"{xml_text(title)}: {said or empty}"
    SubElement(root, "style").text = STYLE
    card = {"x": "0.5", "y": "0.5", "width": str(WIDTH - 1), "height": str(height - 1), "rx": "12"}
    SubElement(root, "rect", {"class": "card", **card})
    _text(_clipped(root, MARGIN, 12, WIDTH - 100), "title", 0, 24, shortened(title, 34))
    _text(root, "soft figure", WIDTH - MARGIN, 36, "Gradus")
    for number, line in enumerate(lines):
        _line(root, TOP + ROW * number, line)
    if not lines:
        _text(root, "soft", MARGIN, TOP + 21, empty)
    written: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return written


def _line(root: Element, top: int, line: Line) -> None:
    name_at = NAME_AT if line.rank else MARGIN
    if line.rank == "1":
        SubElement(root, "circle", {"class": "first", "cx": "35", "cy": str(top + 16), "r": "13"})
    if line.rank:
        _text(root, "rank on-first" if line.rank == "1" else "rank", 35, top + 21, line.rank)
    _text(_clipped(root, name_at, top, WIDTH - name_at - 100), "", 0, 21, shortened(line.name, COLUMNS))
    _text(root, "figure", WIDTH - MARGIN, top + 21, line.figure)


def _clipped(root: Element, left: int, top: int, width: int) -> Element:
    """Add a part of the image beyond which nothing is drawn, however wide a text is."""
    return SubElement(root, "svg", {"x": str(left), "y": str(top), "width": str(width), "height": str(ROW)})


def _text(parent: Element, style: str, left: int, base: int, text: str) -> None:
    attributes = {"class": style} if style else {}
    SubElement(parent, "text", {**attributes, "x": str(left), "y": str(base)}).text = text


def shortened(text: str, columns: int) -> str:
    """Cut a text to this many columns. Letters of East Asian scripts take two, and accents none."""
    kept = "".join(_fitting(xml_text(text)[:CHARACTERS], columns))
    return kept if kept == xml_text(text) else f"{kept.rstrip()}…"


def _fitting(text: str, columns: int) -> Iterator[str]:
    for letter in text:
        if not unicodedata.combining(letter):
            columns -= 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if columns < 0:
            return
        yield letter
