"""Pages as they travel: their pictures are named by addresses, each with its size, so that nothing moves when one arrives."""

import re
from collections.abc import Mapping
from xml.etree import ElementTree

_SHOWN = re.compile(r"(!\[[^\]]*\]\()pictures/([a-z0-9-]+\.svg)(\))")


def linked(text: str, place: str, pictures: Mapping[str, bytes]) -> str:
    """A page with the addresses of its pictures. `place` is `topics/<id>` or `challenges/<slug>`."""

    def address(found: re.Match[str]) -> str:
        before, name, after = found.groups()
        size = _size(pictures[name]) if name in pictures else ""
        return f"{before}/api/{place}/pictures/{name}{size}{after}"

    return _SHOWN.sub(address, text)


def _size(content: bytes) -> str:
    """`#<width>x<height>` in the drawing's own units; nothing if it does not say."""
    box = ElementTree.fromstring(content).get("viewBox", "").replace(",", " ").split()
    try:
        width, height = (round(float(part)) for part in box[2:])
    except ValueError:
        return ""
    return f"#{width}x{height}" if width > 0 and height > 0 else ""
