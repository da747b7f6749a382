"""Putting letters into the outbox: a row in the transaction of what they are about, so neither is without the other."""

import json

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.db import now
from api.errors import TooManyRequests
from api.ids import new_id
from api.letters.models import IS_QUEUED, Letter, Status

# Beyond this, something keeps letters from leaving.
WAITING = 10_000
PAUSE_S = 60


async def put(session: AsyncSession, kind: str, address: str, account_id: str | None = None, **data: str) -> None:
    """Queue a letter. Raises `TooManyRequests` when so many wait that something must be wrong."""
    waiting = select(func.count()).select_from(Letter).where(IS_QUEUED)
    if (await session.scalar(waiting) or 0) >= WAITING:
        raise TooManyRequests("Too many letters wait to be sent. Try again in a while.", retry_after_s=PAUSE_S)
    moment = now()
    session.add(
        Letter(
            id=new_id(),
            account_id=account_id,
            kind=kind,
            address=address,
            data=json.dumps(data),
            status=Status.QUEUED,
            attempts=0,
            error="",
            created_at=moment,
            next_at=moment,
            ended_at=None,
        )
    )
