"""Writing the log, in the transaction of the deed, and reading it."""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from fastapi import Depends
from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.credentials import Identity
from api.accounts.identity import Admin, RequestOrigin
from api.accounts.models import Account
from api.audit.models import AuditEntry
from api.db import now
from api.ids import new_id

VALUE = 300


class Action(StrEnum):
    """What can be done; the part before the dot is the kind of its object."""

    REJUDGE = "submission.rejudge"
    CANCEL = "submission.cancel"
    READ_SOURCE = "submission.read_source"
    REJUDGE_ALL = "challenge.rejudge"
    STOP_REJUDGE = "challenge.stop_rejudge"
    REJUDGE_OWN = "own.rejudge"
    APPLY_REJUDGE = "own.apply_rejudge"
    DROP_REJUDGE = "own.drop_rejudge"
    RELOAD = "catalogue.reload"
    ROLE = "account.role"
    BAN = "account.ban"
    UNBAN = "account.unban"
    SIGN_OUT = "account.sign_out"
    ANSWER = "report.answer"
    DRAIN = "node.drain"
    UNDRAIN = "node.undrain"
    NODE_TOKEN = "node.token"
    REVOKE_NODE = "node.revoke"


@dataclass(frozen=True)
class Actor:
    """An admin at work, and the address that the request came from."""

    identity: Identity
    address: str

    @property
    def id(self) -> str:
        """The admin's account."""
        return self.identity.account.id


async def acting_admin(admin: Admin, origin: RequestOrigin) -> Actor:
    """The admin who sends a request that will be on record."""
    return Actor(admin, origin.address)


Acting = Annotated[Actor, Depends(acting_admin)]


def record(session: AsyncSession, actor: Actor, action: Action, object_id: str, **detail: str | int) -> None:
    """Put a deed on record; it is kept if and only if the deed itself is."""
    short = {name: value[:VALUE] if isinstance(value, str) else value for name, value in detail.items()}
    entry = AuditEntry(
        id=new_id(),
        actor_id=actor.id,
        actor_role=actor.identity.account.role,
        action=action,
        object_kind=action.partition(".")[0],
        object_id=object_id[:100],
        address=actor.address[:64],
        detail=json.dumps(short),
        created_at=now(),
    )
    session.add(entry)


def listing(action: Action | None, actor: str, thing: str, before: str) -> Select[AuditEntry, str | None]:
    """Entries, newest first, each with the name of who did it if that account still exists."""
    query = select(AuditEntry, Account.name).outerjoin(Account, Account.id == AuditEntry.actor_id)
    query = query.order_by(AuditEntry.id.desc())
    if action:
        query = query.where(AuditEntry.action == action)
    if actor:
        query = query.where(AuditEntry.actor_id == actor)
    if thing:
        query = query.where(AuditEntry.object_id == thing)
    return query.where(AuditEntry.id < before) if before else query
