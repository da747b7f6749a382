"""Pages by cursor: the cursor is the sort key of the last item, so pages stay right while items come and go."""

import base64
import binascii
import json

from api.errors import BadCursor
from api.text import BAD


def encode_cursor(*key: str | int) -> str:
    """An opaque cursor for a sort key."""
    return base64.urlsafe_b64encode(json.dumps(key).encode()).decode().rstrip("=")


def decode_cursor(cursor: str, types: tuple[type, ...]) -> tuple[str | int, ...]:
    """The sort key in a cursor. Raises `BadCursor` unless it has these types."""
    try:
        key = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, ValueError, RecursionError):
        key = None
    strange = not isinstance(key, list) or tuple(type(part) for part in key) != types
    # JSON can spell what no database takes: a NUL, half a surrogate pair.
    if strange or any(isinstance(part, str) and BAD.search(part) for part in key):
        raise BadCursor("This cursor was not made here. Leave it out to start from the first page.")
    return tuple(key)
