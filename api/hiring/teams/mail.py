"""Writes the email that invites a person to a team. The token of its link is created when the email is sent, so that no token
is stored in the outbox.
"""

import json

from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.teams.invitations import MAIL_KIND, PREFIX, link_of, state_of
from api.hiring.teams.models import Team, TeamInvitation
from api.identity.accounts.hashing import new_token, token_hash
from api.identity.mail.message import Content, safe_name
from api.identity.mail.models import OutboxMail
from api.identity.sign_in.service import by_email


async def _invite(session: AsyncSession, mail: OutboxMail, url: str) -> Content | None:
    invitation = await session.get(TeamInvitation, json.loads(mail.data)["invitation"])
    if invitation is None or state_of(invitation) != "open":
        return None
    if account := await by_email(session, mail.address):
        mail.account_id = account.id
    team = await session.get_one(Team, invitation.team_id)
    token = new_token(PREFIX)
    invitation.letter_hash = token_hash(token)
    text = f"You are invited to the team “{safe_name(team.name)}” at Gradus, as its {invitation.role}. Join it here:"
    lasts = (
        "The link can be used once and expires in two weeks. You need a Gradus account; the team will see its name and "
        "address."
    )
    unasked = "If you do not know this team, ignore this email. Nothing will happen."
    return Content("Invitation to a team", (text, lasts, unasked), link_of(url, token), "View invitation")


KINDS = {MAIL_KIND: _invite}
