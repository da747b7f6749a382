"""Runs background loops that must never stop. This is the only place that catches unexpected exceptions of background work."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from contextvars import ContextVar

import structlog

log = structlog.get_logger()


class SupervisedTask:
    """A background loop that runs from `start` to `stop`. If it fails, the exception is logged and it starts again after one
    second.
    """

    def __init__(self, loop: Callable[[], Awaitable[None]]) -> None:
        self._loop = loop
        self._working: asyncio.Task[None] | None = None
        self.stopping = False

    def start(self) -> None:
        """Start the loop."""
        self.stopping = False
        self._working = asyncio.create_task(self._run_forever())

    async def stop(self) -> None:
        """Cancel the loop and wait until it has ended. If it is not running, nothing happens."""
        self.stopping = True
        if self._working is not None:
            self._working.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._working

    async def _run_forever(self) -> None:
        _current.set(self)
        while True:
            try:
                await self._loop()
            except Exception:
                log.exception("loop_failed", loop=self._loop.__qualname__)
            await pause(1)


_current: ContextVar[SupervisedTask | None] = ContextVar("_current", default=None)


async def pause(seconds: float) -> None:
    """Sleep between two rounds of a loop. Raises CancelledError if the loop's `stop` was called before.

    Loops use it instead of `asyncio.sleep`, because code in a round may swallow the cancellation: `asyncio.wait_for` of
    Python 3.11 does, if what it waits for ends at the same moment. Then the loop would go on, and `stop` would wait forever.
    `Task.cancelling` cannot tell: after a failure in an `asyncio.TaskGroup`, Python 3.11 leaves it above zero.
    """
    supervised = _current.get()
    if supervised is not None and supervised.stopping:
        raise asyncio.CancelledError
    await asyncio.sleep(seconds)
