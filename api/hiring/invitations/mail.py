"""Writes the emails to invited candidates. The token of a link is created when the email is sent, so that only its hash is
ever stored.
"""

import json
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.assessments.models import Assessment
from api.hiring.candidate_mails.service import letterhead
from api.hiring.invitations.models import Invitation
from api.hiring.invitations.service import PREFIX
from api.hiring.teams.models import Team
from api.identity.accounts.hashing import new_token, token_hash
from api.identity.email_addresses.mail import Kind
from api.identity.mail.message import Content, Letterhead, safe_name
from api.identity.mail.models import OutboxMail
from api.kit.db.database import now

NOT_YOU = "If you do not know this team, ignore this email. Nothing will happen."
ONE_PERSON = "The link is for you only, and you need no account. The page explains everything before your time begins."


@dataclass(frozen=True)
class Invited:
    """The values that an email to a candidate names: the team, the assessment, and when its invitation expires."""

    team: Team
    assessment: str
    expires_at: datetime


def invitation(invited: Invited, link: str, head: Letterhead) -> Content:
    """Return the email that invites a candidate."""
    text = (
        f"The team “{safe_name(invited.team.name)}” invites you to the assessment “{safe_name(invited.assessment)}”. "
    )
    text += f"Start it by {_last_day(invited)}:"
    return _content(f"Invitation: {safe_name(invited.assessment)}", text, link, head)


def reminder(invited: Invited, link: str, head: Letterhead) -> Content:
    """Return the email that reminds candidates to start."""
    text = f"You have not started the assessment “{safe_name(invited.assessment)}” of the team "
    text += f"“{safe_name(invited.team.name)}” yet. You can start it until {_last_day(invited)}:"
    return _content(f"Reminder: {safe_name(invited.assessment)}", text, link, head)


async def _invitation(session: AsyncSession, mail: OutboxMail, url: str) -> Content | None:
    row, token = await _of(session, mail), new_token(PREFIX)
    if row is None:
        return None
    row.letter_hash = token_hash(token)
    invited = await _invited(session, row)
    return invitation(invited, link_of(url, token), await letterhead(session, invited.team))


async def _reminder(session: AsyncSession, mail: OutboxMail, url: str) -> Content | None:
    row, token = await _of(session, mail), new_token(PREFIX)
    if row is None:
        return None
    row.reminder_hash = token_hash(token)
    invited = await _invited(session, row)
    return reminder(invited, link_of(url, token), await letterhead(session, invited.team))


def link_of(url: str, token: str) -> str:
    """Return the link that opens an assessment with this token."""
    return f"{url}/take/{token}"


def _content(subject: str, text: str, link: str, head: Letterhead) -> Content:
    return Content(subject, (text, ONE_PERSON, NOT_YOU), link, "Open assessment", head)


async def _of(session: AsyncSession, mail: OutboxMail) -> Invitation | None:
    row = await session.get(Invitation, json.loads(mail.data)["invitation"])
    gone = row is None or row.email != mail.address or row.revoked_at or row.used_at or row.expires_at <= now()
    return None if gone else row


def _last_day(invited: Invited) -> str:
    return f"{invited.expires_at:%d %B %Y, %H:%M} UTC"


async def _invited(session: AsyncSession, row: Invitation) -> Invited:
    assessment = await session.get_one(Assessment, row.assessment_id)
    return Invited(await session.get_one(Team, assessment.team_id), assessment.name, row.expires_at)


KINDS: dict[str, Kind] = {"invitation": _invitation, "reminder": _reminder}
