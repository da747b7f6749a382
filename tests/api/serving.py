"""Provides a server that runs in one process with others and does not change the process's signal handlers."""

from collections.abc import Generator
from contextlib import contextmanager

import uvicorn


class Server(uvicorn.Server):
    """A uvicorn server that leaves signal handlers as they are. Uvicorn's own server sets its handlers when it begins, and when
    it ends, restores those that it found. If two servers end in the order in which they began, the second one restores the
    handlers of the first one. The process and its children then no longer react to SIGTERM.
    """

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Capture no signals. Set `should_exit` to end the server."""
        yield
