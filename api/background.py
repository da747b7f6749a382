"""Loops that must not end: the one place where a surprise in the background is caught."""

import asyncio
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
