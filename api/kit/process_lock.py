"""Ensures that only one process of the service uses a data folder. A second process would take away from the first one its
socket for nodes and its unfinished submissions.
"""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from api.settings import ConfigurationError


@contextlib.contextmanager
def only_one(data_dir: Path) -> Iterator[None]:
    """Lock the folder while the block runs. Raises `ConfigurationError` if another process has locked it."""
    folder = data_dir / "run"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (folder / "service.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ConfigurationError(f"another service ({_holder(lock.fileno())}) uses {data_dir} already.") from None
        os.ftruncate(lock.fileno(), 0)
        os.write(lock.fileno(), f"pid {os.getpid()}".encode())
        yield


def _holder(file: int) -> str:
    return os.pread(file, 100, 0).decode(errors="replace") or "just starting"
