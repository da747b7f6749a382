"""Tests that background loops end when they are stopped, even if code in them swallows the cancellation."""

import asyncio
import contextlib

import pytest

from api.kit import supervised_task
from api.kit.supervised_task import SupervisedTask

pytestmark = pytest.mark.anyio


async def test_loop_ends_although_code_in_it_swallowed_the_cancellation() -> None:
    """A loop must end when it is stopped, even if code in it swallows the cancellation. Libraries that wait with
    `asyncio.wait_for` do so if the result arrives at the same moment.
    """
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


async def test_loop_starts_again_after_a_failure_in_a_task_group() -> None:
    """A loop must start again after a TaskGroup in it has failed. On Python 3.11, a failing TaskGroup cancels its own task, and
    `Task.cancelling` still counts this cancellation afterwards.
    """
    rounds = 0
    again = asyncio.Event()

    async def broken() -> None:
        raise OSError("the connection was cut")

    async def loop() -> None:
        nonlocal rounds
        rounds += 1
        if rounds > 1:
            again.set()
            await asyncio.Event().wait()
        async with asyncio.TaskGroup() as group:
            group.create_task(broken())
            group.create_task(asyncio.Event().wait())

    task = SupervisedTask(loop)
    task.start()
    async with asyncio.timeout(10):
        await again.wait()
        await task.stop()
