"""A server that runs in one process with others and leaves the process's signals alone."""

from collections.abc import Generator
from contextlib import contextmanager

import uvicorn


class Server(uvicorn.Server):
    """Uvicorn's own server restores the signal handlers that it found. If two servers end in the order in which they began,
    the second one restores the first one's handlers, and the process and its children no longer react to SIGTERM.
    """

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Captures no signals; set `should_exit` to end it."""
        yield
