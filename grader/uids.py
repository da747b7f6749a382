"""Uids that are unique on the host: process limits are counted per kernel uid across containers, so no two jobs may share one.

A node holds a block of uids by an open lock file for as long as it lives; within its block it never hands out a uid in use.
"""

import fcntl
import os
import threading
import weakref
from pathlib import Path

from grader.errors import Unavailable

BASE = 1_800_000_000
BLOCK = 1_000
BLOCKS = 64


class Uids:
    """A node's block of uids; with `own=False` (process cells without root) every child keeps the node's own uid."""

    def __init__(self, folder: Path = Path("/run/lock"), *, own: bool = True) -> None:
        self._lock = threading.Lock()
        self._used: set[int] = set()
        self._ordinary = not own
        self._block = 0 if self._ordinary else self._claim(folder)
        self._next = 0

    def take(self) -> int:
        """A uid that nobody else on this host has."""
        if self._ordinary:
            return os.getuid()
        with self._lock:
            for _ in range(BLOCK):
                self._next = (self._next + 1) % BLOCK
                uid = BASE + self._block * BLOCK + self._next
                if uid not in self._used:
                    self._used.add(uid)
                    return uid
        raise Unavailable(f"all {BLOCK} uids of this node are in use")

    def give_back(self, uid: int) -> None:
        """The uid has no process any more."""
        with self._lock:
            self._used.discard(uid)

    def _claim(self, folder: Path) -> int:
        folder.mkdir(parents=True, exist_ok=True)
        for block in range(BLOCKS):
            lock = os.open(folder / f"gradus-uids-{block}.lock", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                continue
            weakref.finalize(self, os.close, lock)
            return block
        raise Unavailable(f"{BLOCKS} nodes run on this host already")
