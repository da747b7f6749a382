"""Runs background loops that must never stop. This is the only place that catches unexpected exceptions of background work."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

import structlog

log = structlog.get_logger()


async def run_forever(loop: Callable[[], Awaitable[None]]) -> None:
    """Run a loop forever. An exception is logged, and the loop starts again one second later."""
    while True:
        try:
            await loop()
        except Exception:
            log.exception("loop_failed", loop=loop.__qualname__)
        await pause(1)


async def pause(seconds: float) -> None:
    """Sleep between two rounds of a loop. Raises CancelledError if the loop was cancelled before.

    Loops use it instead of `asyncio.sleep`, because code in a round may swallow the cancellation: `asyncio.wait_for` of
    Python 3.11 does, if what it waits for ends at the same moment. Then the loop would go on, and `stop` would wait forever.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
    await asyncio.sleep(seconds)


class SupervisedTask:
    """A background loop that runs from `start` to `stop` and is restarted if it fails."""

    def __init__(self, loop: Callable[[], Awaitable[None]]) -> None:
        self._loop = loop
        self._working: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the loop."""
        self._working = asyncio.create_task(run_forever(self._loop))

    async def stop(self) -> None:
        """Cancel the loop and wait until it has ended."""
        if self._working is not None:
            self._working.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._working
