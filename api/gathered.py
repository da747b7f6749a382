"""Asked at the same moment, answered together: where one answer for many costs little more than one for one."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Generic, TypeVar

Asked = TypeVar("Asked")
Told = TypeVar("Told")
# So many at once: whoever came first does not wait for all who come after.
MOST = 64


class Gathered(Generic[Asked, Told]):
    """Calls `answer` with what has gathered while its last call was under way. Two that are the same by `key` never go together.

    A call that fails is made again for each alone, so that nobody fails for another's sake.
    """

    def __init__(
        self, answer: Callable[[Sequence[Asked]], Awaitable[Sequence[Told]]], key: Callable[[Asked], Hashable]
    ) -> None:
        self._answer, self._key = answer, key
        self._waiting: list[tuple[Asked, asyncio.Future[Told]]] = []
        self._work: asyncio.Task[None] | None = None

    async def ask(self, asked: Asked) -> Told:
        """The answer to this one. Raises what it failed with. Who no longer waits is answered all the same."""
        future: asyncio.Future[Told] = asyncio.get_running_loop().create_future()
        self._waiting.append((asked, future))
        if self._work is None:
            self._work = asyncio.create_task(self._go_on())
        return await future

    async def close(self) -> None:
        """Wait until nobody is being answered: what has begun goes on when those who asked are gone."""
        if self._work is not None:
            await self._work

    async def _go_on(self) -> None:
        try:
            while self._waiting:
                await self._together(self._next())
        finally:
            self._work = None

    def _next(self) -> list[tuple[Asked, "asyncio.Future[Told]"]]:
        """Takes from those who wait, in order, each key once."""
        taken: dict[Hashable, tuple[Asked, asyncio.Future[Told]]] = {}
        left: list[tuple[Asked, asyncio.Future[Told]]] = []
        for each in self._waiting:
            key = self._key(each[0])
            if key in taken or len(taken) == MOST:
                left.append(each)
            else:
                taken[key] = each
        self._waiting = left
        return list(taken.values())

    async def _together(self, group: list[tuple[Asked, "asyncio.Future[Told]"]]) -> None:
        try:
            ends = await self._answer([asked for asked, _ in group])
        except Exception as error:
            if len(group) > 1:
                await asyncio.gather(*(self._together([each]) for each in group))
            elif not group[0][1].done():
                group[0][1].set_exception(error)
            return
        for (_, future), end in zip(group, ends, strict=True):
            if not future.done():
                future.set_result(end)
