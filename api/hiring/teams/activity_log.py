"""Records what the members of a team do, so that all members can read it. An entry is written in the same transaction as the
action, and is deleted after `audit_days` (see `api.ops.privacy.retention`).
"""

from typing import Literal

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.teams.membership import Membership
from api.hiring.teams.models import TeamLogEntry
from api.identity.accounts.models import Account
from api.kit.db.database import now
from api.kit.ids import new_id

LogAction = Literal[
    "assessment.create",
    "assessment.rename",
    "assessment.save",
    "assessment.open",
    "assessment.archive",
    "assessment.restore",
    "assessment.clone",
    "assessment.delete",
    "invitation.send",
    "invitation.resend",
    "invitation.revoke",
    "invitation.extra_time",
    "participation.extra_time",
    "participation.finish",
    "participation.erase",
    "participation.decide",
    "report.share",
    "report.revoke",
    "outage.report",
    "room.create",
    "room.delete",
    "challenge.publish",
    "challenge.archive",
    "challenge.restore",
    "challenge.delete",
    "team.rename",
    "team.mail",
    "team.result_sharing",
    "member.invite",
    "member.role",
    "member.remove",
    "webhook.create",
    "webhook.change",
    "webhook.delete",
    "token.create",
    "token.revoke",
]
# Titles and details are cut to this length.
LENGTH = 160


def record(
    session: AsyncSession, membership: Membership, action: LogAction, object_id: str, title: str = "", detail: str = ""
) -> None:
    """Add an entry. `title` and `detail` must not contain names or addresses of candidates or members, because entries are kept
    when these are erased.
    """
    entry = TeamLogEntry(
        id=new_id(),
        team_id=membership.team.id,
        actor_id=membership.account.id,
        action=action,
        object_id=object_id,
        title=title[:LENGTH],
        detail=detail[:LENGTH],
        at=now(),
    )
    session.add(entry)


def listing(team_id: str, before: str) -> Select[TeamLogEntry, str | None]:
    """Return a query for a team's entries, newest first, each with the name of the member, or None if the account is deleted."""
    query = select(TeamLogEntry, Account.name).outerjoin(Account, Account.id == TeamLogEntry.actor_id)
    query = query.where(TeamLogEntry.team_id == team_id).order_by(TeamLogEntry.id.desc())
    return query.where(TeamLogEntry.id < before) if before else query
