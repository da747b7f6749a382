"""Assigns uids to hosts, so that no two hosts that run on this machine at the same time have the same uid.

The kernel counts some resources by uid, whatever container the processes are in. So two hosts must not share a uid. A node
reserves a block of uids with a lock file until the node's process ends, and never assigns a uid that is in use.
"""

import fcntl
import os
import threading
import weakref
from pathlib import Path

from grader.contract.errors import Unavailable

BASE = 1_800_000_000
BLOCK = 1_000
BLOCKS = 64


class Uids:
    """The block of uids that a node has reserved. Raises Unavailable if no block is free."""

    def __init__(self, folder: Path = Path("/run/lock")) -> None:
        self._lock = threading.Lock()
        self._used: set[int] = set()
        self._block = self._claim(folder)
        self._next = 0

    def take(self) -> int:
        """Take a uid of the block that is not in use. Raises Unavailable if all of them are."""
        with self._lock:
            for _ in range(BLOCK):
                self._next = (self._next + 1) % BLOCK
                uid = BASE + self._block * BLOCK + self._next
                if uid not in self._used:
                    self._used.add(uid)
                    return uid
        raise Unavailable(f"all {BLOCK} uids of this node are in use")

    def give_back(self, uid: int) -> None:
        """Return a uid to the block. Call this only when no process runs as this uid any more."""
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
