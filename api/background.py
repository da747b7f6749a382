"""Loops that must not end: the one place where a surprise in the background is caught."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

import structlog

log = structlog.get_logger()


async def keep(loop: Callable[[], Awaitable[None]]) -> None:
    """Run a loop for ever: a surprise is logged, and the loop begins anew a second later."""
    while True:
        try:
            await loop()
        except Exception:
            log.exception("loop_failed", loop=loop.__qualname__)
        await asyncio.sleep(1)


class Keeper:
    """A loop that runs from `start` to `stop`."""

    def __init__(self, loop: Callable[[], Awaitable[None]]) -> None:
        self._loop = loop
        self._working: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin."""
        self._working = asyncio.create_task(keep(self._loop))

    async def stop(self) -> None:
        """End; whatever the loop was at is broken off."""
        if self._working is not None:
            self._working.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._working
