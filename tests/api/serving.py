"""A server beside others in one process, which leaves the process's signals alone."""

from collections.abc import Generator
from contextlib import contextmanager

import uvicorn


class Server(uvicorn.Server):
    """Uvicorn's own puts back the handlers that it found: of two that end in the order in which they began, the second puts
    back the first's, and the process hears no SIGTERM from then on, nor do its children.
    """

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Nothing is captured: `should_exit` ends it."""
        yield
