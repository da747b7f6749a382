"""Adds mail to the outbox in the same transaction as the change that causes it, so that both are committed or neither is."""

import json

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.mail.models import IS_QUEUED, OutboxMail, Status
from api.kit.db.database import now
from api.kit.errors import TooManyRequests
from api.kit.ids import new_id

# Maximum number of queued mails. So many wait only if mail cannot be delivered. Further mail is then refused.
WAITING = 10_000
PAUSE_S = 60


async def put(session: AsyncSession, kind: str, address: str, account_id: str | None = None, **data: str) -> None:
    """Queue a mail. Raises `TooManyRequests` if `WAITING` mails are queued already."""
    waiting = select(func.count()).select_from(OutboxMail).where(IS_QUEUED)
    if (await session.scalar(waiting) or 0) >= WAITING:
        raise TooManyRequests("Too many emails are waiting to be sent. Try again in a minute.", retry_after_s=PAUSE_S)
    moment = now()
    session.add(
        OutboxMail(
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
