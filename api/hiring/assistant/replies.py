"""Writes replies of the assistant. A reply is written to its end even if the candidate reloads the page or loses the connection:
the page then reads it from the database.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends
from sqlalchemy import update

from api.external_service_settings import AssistantEndpoint
from api.hiring.assistant import chat_completions, prompt
from api.hiring.assistant.chat_completions import Ending, EndpointFailed
from api.hiring.assistant.models import AssistantMessage
from api.hiring.assistant.prompt import Message
from api.kit.db.database import Database, now
from api.kit.http.provided import provided


@dataclass
class LiveReply:
    """A reply while it is written. `wait` returns when more has arrived, or after a number of seconds."""

    text: str = ""
    ended: bool = False
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def change(self, more: str = "", *, ended: bool = False) -> None:
        self.text, self.ended = self.text + more, self.ended or ended
        self._changed.set()
        self._changed = asyncio.Event()

    async def parts(self, keep_alive_s: float) -> AsyncIterator[str]:
        """Yield what arrives, and "" whenever nothing has arrived for `keep_alive_s` seconds."""
        sent = 0
        while True:
            changed = self._changed
            if len(self.text) > sent:
                yield self.text[sent:]
                sent = len(self.text)
            elif self.ended:
                return
            else:
                try:
                    await asyncio.wait_for(changed.wait(), keep_alive_s)
                except TimeoutError:
                    yield ""


class AssistantReplies:
    """The replies that this process writes."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def write(
        self, db: Database, where: AssistantEndpoint, row: AssistantMessage, asked: Sequence[Message], most_tokens: int
    ) -> LiveReply:
        """Ask the endpoint and store its reply in the row, which must be committed. Returns the reply as it grows."""
        live = LiveReply()
        task = asyncio.create_task(_write(db, where, row.id, asked, most_tokens, live))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return live

    async def stop(self) -> None:
        """End all replies. What has arrived of them is stored."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


AssistantRepliesDep = Annotated[AssistantReplies, Depends(provided(AssistantReplies))]


async def _write(
    db: Database,
    where: AssistantEndpoint,
    message_id: str,
    asked: Sequence[Message],
    most_tokens: int,
    live: LiveReply,
) -> None:
    ending, failure = Ending(), "interrupted"
    try:
        async for part in chat_completions.reply(where, asked, most_tokens, ending):
            live.change(part)
        failure = ""
    except EndpointFailed as error:
        failure = error.reason
    finally:
        try:
            # Nothing that stops the task may lose what has arrived, so the row is written in a task of its own.
            await asyncio.shield(asyncio.ensure_future(_store(db, message_id, asked, live, ending, failure)))
        finally:
            live.change(ended=True)


async def _store(
    db: Database, message_id: str, asked: Sequence[Message], live: LiveReply, ending: Ending, failure: str
) -> None:
    # An endpoint that failed before its first word has cost nothing. One that stopped later has, even if it did not say how much.
    guessed = prompt.estimated_tokens(live.text, *(each["content"] for each in asked)) if live.text else 0
    values = {
        "reply": live.text,
        "state": "failed" if failure else "cut" if ending.cut else "answered",
        "failure": failure,
        "tokens": ending.tokens or guessed,
        "ended_at": now(),
    }
    async with db.write() as session:
        await session.execute(update(AssistantMessage).where(AssistantMessage.id == message_id).values(**values))
