"""Answers concurrent calls in batches. Use it where a query for many items takes hardly longer than a query for one."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
Answer = TypeVar("Answer")
# Maximum number of items in a batch. Without a limit, the oldest item would wait until all items of a backlog are answered.
MOST = 64


class Batcher(Generic[Item, Answer]):
    """Collects the items that arrive while a call of `answer` is running, and passes them together to the next call. Two items
    with the same `key` are never in one batch.

    If `answer` raises an error for a batch, it is called again for each item alone, so that one bad item does not affect the
    others.
    """

    def __init__(
        self, answer: Callable[[Sequence[Item]], Awaitable[Sequence[Answer]]], key: Callable[[Item], Hashable]
    ) -> None:
        self._answer, self._key = answer, key
        self._waiting: list[tuple[Item, asyncio.Future[Answer]]] = []
        self._work: asyncio.Task[None] | None = None

    async def ask(self, item: Item) -> Answer:
        """Return the answer to this item, or raise the error that `answer` raised for it. If the caller is cancelled, the
        answer is computed nevertheless.
        """
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, future))
        if self._work is None:
            self._work = asyncio.create_task(self._go_on())
        return await future

    async def close(self) -> None:
        """Wait until every queued item has been processed, including items whose callers were cancelled."""
        if self._work is not None:
            await self._work

    async def _go_on(self) -> None:
        try:
            while self._waiting:
                await self._together(self._next())
        finally:
            self._work = None

    def _next(self) -> list[tuple[Item, "asyncio.Future[Answer]"]]:
        """Remove the next batch from the queue and return it: the oldest items, at most one for each key."""
        taken: dict[Hashable, tuple[Item, asyncio.Future[Answer]]] = {}
        left: list[tuple[Item, asyncio.Future[Answer]]] = []
        for each in self._waiting:
            key = self._key(each[0])
            if key in taken or len(taken) == MOST:
                left.append(each)
            else:
                taken[key] = each
        self._waiting = left
        return list(taken.values())

    async def _together(self, group: list[tuple[Item, "asyncio.Future[Answer]"]]) -> None:
        try:
            ends = await self._answer([item for item, _ in group])
        except Exception as error:
            if len(group) > 1:
                await asyncio.gather(*(self._together([each]) for each in group))
            elif not group[0][1].done():
                group[0][1].set_exception(error)
            return
        for (_, future), end in zip(group, ends, strict=True):
            if not future.done():
                future.set_result(end)
