"""The letter that invites to a team. Its link is made when it is sent, so that no token ever waits in the outbox."""

import json

from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.secrets import new_token, token_hash
from api.accounts.service import by_email
from api.letters.message import Content, spoken
from api.letters.models import Letter
from api.teams.invitations import LETTER, PREFIX, link_of, state_of
from api.teams.models import Team, TeamInvitation


async def _invite(session: AsyncSession, letter: Letter, url: str) -> Content | None:
    invitation = await session.get(TeamInvitation, json.loads(letter.data)["invitation"])
    if invitation is None or state_of(invitation) != "open":
        return None
    if account := await by_email(session, letter.address):
        letter.account_id = account.id
    team = await session.get_one(Team, invitation.team_id)
    token = new_token(PREFIX)
    invitation.letter_hash = token_hash(token)
    told = f"You are invited to a team at Gradus, «{spoken(team.name)}», as its {invitation.role}. Join it here:"
    lasts = "The link works once, for two weeks. You need an account at Gradus; the team will see its name and address."
    unasked = "If you know nothing of this team, ignore this letter: nothing happens."
    return Content("An invitation to a team", (told, lasts, unasked), link_of(url, token), "See the invitation")


KINDS = {LETTER: _invite}
