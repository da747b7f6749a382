"""What is written to people who are invited. The token is made when the letter is sent, so that none ever lies in a table."""

import json

from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.secrets import new_token, token_hash
from api.addresses.letters import Kind
from api.assessments.models import Assessment
from api.db import now
from api.invitations.models import Invitation
from api.invitations.service import PREFIX
from api.letters.message import Content, spoken
from api.letters.models import Letter
from api.teams.models import Team

NOT_YOU = "If you do not know this team, ignore this letter: nothing happens."
ONE_PERSON = (
    "The link is for you alone and needs no account. Before your time begins, the page tells you all you need to know."
)


async def _invitation(session: AsyncSession, letter: Letter, url: str) -> Content | None:
    row, token = await _of(session, letter), new_token(PREFIX)
    if row is None:
        return None
    row.letter_hash = token_hash(token)
    team, name = await _names(session, row)
    told = f"The team «{team}» invites you to the assessment «{name}». Start it until {_spoken(row)}:"
    return _content(f"Invitation: {name}", told, url, token)


async def _reminder(session: AsyncSession, letter: Letter, url: str) -> Content | None:
    row, token = await _of(session, letter), new_token(PREFIX)
    if row is None:
        return None
    row.reminder_hash = token_hash(token)
    team, name = await _names(session, row)
    told = f"You have not started the assessment «{name}» of the team «{team}» yet. You can until {_spoken(row)}:"
    return _content(f"Reminder: {name}", told, url, token)


def _content(subject: str, told: str, url: str, token: str) -> Content:
    return Content(subject, (told, ONE_PERSON, NOT_YOU), f"{url}/take/{token}", "Open the assessment")


async def _of(session: AsyncSession, letter: Letter) -> Invitation | None:
    row = await session.get(Invitation, json.loads(letter.data)["invitation"])
    gone = row is None or row.email != letter.address or row.revoked_at or row.used_at or row.expires_at <= now()
    return None if gone else row


def _spoken(row: Invitation) -> str:
    return f"{row.expires_at:%d %B %Y, %H:%M} UTC"


async def _names(session: AsyncSession, row: Invitation) -> tuple[str, str]:
    assessment = await session.get_one(Assessment, row.assessment_id)
    return spoken((await session.get_one(Team, assessment.team_id)).name), spoken(assessment.name)


KINDS: dict[str, Kind] = {"invitation": _invitation, "reminder": _reminder}
