"""Prepares a team's logo for the PDF reports."""

import struct
from base64 import b64encode
from typing import Any

# The logo fits into these millimetres.
WIDE, HIGH = 42.0, 14.0


def logo_of_report(png: bytes) -> dict[str, Any] | None:
    """Return the logo for `program.py`: the PNG in Base64, and its width and height on paper. Only the header of the image is
    read here. The separate program decodes it.
    """
    if not png:
        return None
    # A PNG begins with its signature and the head of its first chunk, 16 bytes in all. Width and height follow.
    width, height = struct.unpack(">II", png[16:24])
    scale = min(WIDE / width, HIGH / height)
    return {"png": b64encode(png).decode(), "size": [width * scale, height * scale]}
