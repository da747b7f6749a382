"""Ids that sort by creation: 48 bits of milliseconds, 16 bits counting within one, 64 random bits, in hex."""

import secrets
import threading
import time
from datetime import datetime
from typing import Annotated

from fastapi import Path

# As a parameter in an address; anything else never reaches the database.
Id = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$", description="32 hex digits.")]

_lock = threading.Lock()
_last = 0


def first_id(moment: datetime) -> str:
    """No id made at this moment or later is smaller; all made before it are."""
    return f"{int(moment.timestamp() * 1000) << 16:016x}"


def new_id() -> str:
    """32 hex digits; later ids of one process are greater, even when the clock steps back."""
    global _last
    with _lock:
        _last = max(_last + 1, (time.time_ns() // 1_000_000) << 16)
        return f"{_last:016x}{secrets.token_hex(8)}"
