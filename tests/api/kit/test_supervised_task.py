"""Background loops: they end when they are stopped, whatever the code in them does with the cancellation."""

import asyncio
import contextlib

import pytest

from api.kit import supervised_task
from api.kit.supervised_task import SupervisedTask

pytestmark = pytest.mark.anyio


async def test_loop_ends_although_code_in_it_swallowed_the_cancellation() -> None:
    """As libraries do that wait with `asyncio.wait_for`, if the result arrives at the same moment."""
    inside = asyncio.Event()

    async def loop() -> None:
        while True:
            with contextlib.suppress(asyncio.CancelledError):
                inside.set()
                await asyncio.Event().wait()
            await supervised_task.pause(0.01)

    task = SupervisedTask(loop)
    task.start()
    await inside.wait()
    async with asyncio.timeout(10):
        await task.stop()
