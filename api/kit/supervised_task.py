"""Runs background loops that must never stop. Unexpected exceptions of background work are caught only here."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from contextvars import ContextVar

import structlog

log = structlog.get_logger()


class SupervisedTask:
    """A background loop that runs from `start` to `stop`. If the loop fails, the exception is logged, and the loop starts again
    after one second.
    """

    def __init__(self, loop: Callable[[], Awaitable[None]]) -> None:
        self._loop = loop
        self._working: asyncio.Task[None] | None = None
        self.stopping = False

    def start(self) -> None:
        self.stopping = False
        self._working = asyncio.create_task(self._run_forever())

    async def stop(self) -> None:
        """Cancel the loop and wait until it has ended. Does nothing if the loop is not running."""
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
    """Sleep between two rounds of a loop. Raises CancelledError if `stop` is called for the loop before or during the sleep.

    Loops must use this instead of `asyncio.sleep`, because the code of a round can swallow the cancellation that `stop` causes:
    in Python 3.11, `asyncio.wait_for` swallows it if the awaitable ends at the same moment. The loop would then continue, and
    `stop` would wait forever. `Task.cancelling` cannot detect this: in Python 3.11, it also stays above zero after a failure in
    an `asyncio.TaskGroup`.
    """
    _end_if_stopped()
    await asyncio.sleep(seconds)


async def pause_until(event: asyncio.Event, seconds: float) -> None:
    """Sleep between two rounds like `pause`, but wake up when the event is set. Then clear the event."""
    _end_if_stopped()
    # `asyncio.wait_for` is not used: on Python 3.11 it swallows a cancellation that coincides with the event, and `stop` would
    # hang.
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    event.clear()


def _end_if_stopped() -> None:
    supervised = _current.get()
    if supervised is not None and supervised.stopping:
        raise asyncio.CancelledError
