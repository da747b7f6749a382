"""Replaces references to pictures in a page with public URLs. Each URL contains the size of the picture, so that the layout
does not shift when the picture loads.
"""

import re
from collections.abc import Mapping
from xml.etree import ElementTree

_SHOWN = re.compile(r"(!\[[^\]]*\]\()pictures/([a-z0-9-]+\.svg)(\))")


def linked(text: str, place: str, pictures: Mapping[str, bytes]) -> str:
    """Return the page with public URLs in place of the references to its pictures. `place` is the part of these URLs that names
    the page: `topics/<id>` or `challenges/<slug>`.
    """

    def address(found: re.Match[str]) -> str:
        before, name, after = found.groups()
        size = _size(pictures[name]) if name in pictures else ""
        return f"{before}/api/{place}/pictures/{name}{size}{after}"

    return _SHOWN.sub(address, text)


def _size(content: bytes) -> str:
    """Return `#<width>x<height>` in the drawing's own units (SVG user units), or "" if the drawing does not state its size."""
    box = ElementTree.fromstring(content).get("viewBox", "").replace(",", " ").split()
    try:
        width, height = (round(float(part)) for part in box[2:])
    except ValueError:
        return ""
    return f"#{width}x{height}" if width > 0 and height > 0 else ""
