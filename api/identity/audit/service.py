"""Reads and writes the audit log. An entry is written in the same transaction as the action that it records."""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from fastapi import Depends
from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts.models import Account
from api.identity.audit.models import AuditEntry
from api.identity.sessions.credentials import Identity
from api.identity.sessions.current_account import Admin, RequestOrigin
from api.kit.db.database import now
from api.kit.ids import new_id

# Texts in the detail of an entry are truncated to this many characters.
VALUE = 300


class Action(StrEnum):
    """The actions that are recorded. The part of a value before the dot is the kind of object that the action affects."""

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
    HIDE_COMMENT = "comment.hide"
    RESTORE_COMMENT = "comment.restore"
    HIDE_ANSWER = "shared.hide"
    RESTORE_ANSWER = "shared.restore"
    ACCEPT_MEASUREMENT = "measurement.accept"
    WITHDRAW_MEASUREMENT = "measurement.withdraw"
    DRAIN = "node.drain"
    UNDRAIN = "node.undrain"
    NODE_TOKEN = "node.token"
    REVOKE_NODE = "node.revoke"


@dataclass(frozen=True)
class Actor:
    """The admin who performs an action, and the network address from which the request came."""

    identity: Identity
    address: str

    @property
    def id(self) -> str:
        """The id of the admin's account."""
        return self.identity.account.id


async def acting_admin(admin: Admin, origin: RequestOrigin) -> Actor:
    """Return the admin who sent this request, as the actor of an audit entry. Used as a FastAPI dependency."""
    return Actor(admin, origin.address)


Acting = Annotated[Actor, Depends(acting_admin)]


def record(session: AsyncSession, actor: Actor, action: Action, object_id: str, **detail: str | int) -> None:
    """Add an entry to the audit log. It is committed together with the action, or not at all."""
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
    """Build the query for entries, newest first. Each comes with the name of the admin, or None if the account is deleted."""
    query = select(AuditEntry, Account.name).outerjoin(Account, Account.id == AuditEntry.actor_id)
    query = query.order_by(AuditEntry.id.desc())
    if action:
        query = query.where(AuditEntry.action == action)
    if actor:
        query = query.where(AuditEntry.actor_id == actor)
    if thing:
        query = query.where(AuditEntry.object_id == thing)
    return query.where(AuditEntry.id < before) if before else query
