"""Ids that sort by creation time. In hex, an id consists of 48 bits of milliseconds, a 16-bit counter within the
millisecond, and 64 random bits.
"""

import secrets
import threading
import time
from datetime import datetime
from typing import Annotated

from fastapi import Path

# The type of a path parameter that is an id. FastAPI rejects anything else before it reaches the database.
Id = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$", description="32 hex digits.")]

_lock = threading.Lock()
_last = 0


def first_id(moment: datetime) -> str:
    """Return a string that sorts after all ids created before `moment`, and before all ids created then or later. The precision
    is a millisecond.
    """
    return f"{int(moment.timestamp() * 1000) << 16:016x}"


def new_id() -> str:
    """Create an id of 32 hex digits. Within one process, each id is greater than the one before, even if the clock is set
    back.
    """
    global _last
    with _lock:
        _last = max(_last + 1, (time.time_ns() // 1_000_000) << 16)
        return f"{_last:016x}{secrets.token_hex(8)}"
