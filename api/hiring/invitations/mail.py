"""Writes the emails to invited candidates. The token of a link is created when the email is sent, so that only its hash is
ever stored.
"""

import json

from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.assessments.models import Assessment
from api.hiring.invitations.models import Invitation
from api.hiring.invitations.service import PREFIX
from api.hiring.teams.models import Team
from api.identity.accounts.hashing import new_token, token_hash
from api.identity.email_addresses.mail import Kind
from api.identity.mail.message import Content, safe_name
from api.identity.mail.models import OutboxMail
from api.kit.db.database import now

NOT_YOU = "If you do not know this team, ignore this email. Nothing will happen."
ONE_PERSON = "The link is for you only, and you need no account. The page explains everything before your time begins."


async def _invitation(session: AsyncSession, mail: OutboxMail, url: str) -> Content | None:
    row, token = await _of(session, mail), new_token(PREFIX)
    if row is None:
        return None
    row.letter_hash = token_hash(token)
    team, name = await _names(session, row)
    text = f"The team “{team}” invites you to the assessment “{name}”. Start it by {_last_day(row)}:"
    return _content(f"Invitation: {name}", text, url, token)


async def _reminder(session: AsyncSession, mail: OutboxMail, url: str) -> Content | None:
    row, token = await _of(session, mail), new_token(PREFIX)
    if row is None:
        return None
    row.reminder_hash = token_hash(token)
    team, name = await _names(session, row)
    text = f"You have not started the assessment “{name}” of the team “{team}” yet. You can start it until {_last_day(row)}:"
    return _content(f"Reminder: {name}", text, url, token)


def _content(subject: str, text: str, url: str, token: str) -> Content:
    return Content(subject, (text, ONE_PERSON, NOT_YOU), f"{url}/take/{token}", "Open assessment")


async def _of(session: AsyncSession, mail: OutboxMail) -> Invitation | None:
    row = await session.get(Invitation, json.loads(mail.data)["invitation"])
    gone = row is None or row.email != mail.address or row.revoked_at or row.used_at or row.expires_at <= now()
    return None if gone else row


def _last_day(row: Invitation) -> str:
    return f"{row.expires_at:%d %B %Y, %H:%M} UTC"


async def _names(session: AsyncSession, row: Invitation) -> tuple[str, str]:
    assessment = await session.get_one(Assessment, row.assessment_id)
    return safe_name((await session.get_one(Team, assessment.team_id)).name), safe_name(assessment.name)


KINDS: dict[str, Kind] = {"invitation": _invitation, "reminder": _reminder}
