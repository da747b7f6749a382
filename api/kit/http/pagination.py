"""Cursor pagination. A cursor contains the sort key of the last item on a page, and the next page begins after that key. No
item is skipped or repeated when items are added or removed between two requests.
"""

import base64
import binascii
import json

from api.kit.errors import BadCursor
from api.kit.text import BAD


def encode_cursor(*key: str | int) -> str:
    """Encode a sort key as an opaque cursor."""
    return base64.urlsafe_b64encode(json.dumps(key).encode()).decode().rstrip("=")


def decode_cursor(cursor: str, types: tuple[type, ...]) -> tuple[str | int, ...]:
    """Decode the sort key from a cursor. Raises `BadCursor` unless the parts of the key have exactly these types."""
    try:
        key = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, ValueError, RecursionError):
        key = None
    strange = not isinstance(key, list) or tuple(type(part) for part in key) != types
    # JSON can contain text that no database accepts: a NUL character or a lone surrogate.
    if strange or any(isinstance(part, str) and BAD.search(part) for part in key):
        raise BadCursor("This cursor is not valid. Leave it out to start from the first page.")
    return tuple(key)
