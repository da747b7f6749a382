"""Reads, stores and applies what a team adds to the emails to its candidates."""

import asyncio

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.candidate_mails.logo import data_url_of, png_of
from api.hiring.candidate_mails.models import CandidateMail
from api.hiring.candidate_mails.schemas import CandidateMailText, SavedCandidateMail
from api.hiring.teams.models import Team, TeamMember
from api.identity.accounts.models import Account
from api.identity.mail.message import Letterhead, safe_name
from api.kit.db.database import now
from api.kit.errors import ApiError, FieldError


class NotAReplyAddress(ApiError):
    """The member who should get the replies is not in the team, or has no verified address."""

    status, code = 409, "not_a_reply_address"


async def saved(session: AsyncSession, team_id: str) -> SavedCandidateMail:
    """Return what the team adds to its emails."""
    row = await session.get(CandidateMail, team_id)
    if row is None:
        return SavedCandidateMail(message="", reply_to=None, logo=None)
    return SavedCandidateMail(
        message=row.message, reply_to=row.reply_to, logo=data_url_of(row.logo) if row.logo else None
    )


async def logo_of(session: AsyncSession, team_id: str) -> bytes:
    """Return the team's logo, a small PNG that was decoded and written again when it was saved, or b"" if there is none."""
    return await session.scalar(select(CandidateMail.logo).where(CandidateMail.team_id == team_id)) or b""


async def save(session: AsyncSession, row: CandidateMail) -> None:
    """Store what a team adds to its emails. Raises `NotAReplyAddress`."""
    if row.reply_to is not None and not await _address(session, row.team_id, row.reply_to):
        message = "Choose a member of the team whose email address is verified."
        raise NotAReplyAddress(message, fields=[FieldError(field="reply_to", message=message)])
    await session.merge(row)
    await session.flush()


async def row_of(team_id: str, text: CandidateMailText) -> CandidateMail:
    """Return the row for a text, without storing it. Raises `BadLogo`."""
    return CandidateMail(
        team_id=team_id,
        message=text.message,
        reply_to=text.reply_to,
        logo=await asyncio.to_thread(png_of, text.logo) if text.logo else None,
        saved_at=now(),
    )


async def letterhead(session: AsyncSession, team: Team, row: CandidateMail | None = None) -> Letterhead:
    """Return what the team adds to its emails: that of `row`, or what is stored. The reply address is left out if the
    member has left the team since, or no longer has a verified address.
    """
    row = row or await session.get(CandidateMail, team.id)
    if row is None:
        return Letterhead()
    paragraphs = tuple(part.strip() for part in row.message.split("\n\n") if part.strip())
    return Letterhead(
        logo=row.logo or b"",
        logo_text=safe_name(team.name),
        intro=f"The team “{safe_name(team.name)}” writes:",
        message=paragraphs,
        reply_to=await _address(session, team.id, row.reply_to) if row.reply_to else "",
    )


async def _address(session: AsyncSession, team_id: str, account_id: str) -> str:
    """Return the verified address of a member, or "" if there is none."""
    mine = (TeamMember.account_id == Account.id) & (TeamMember.team_id == team_id)
    query = (
        select(Account.email)
        .join(TeamMember, mine)
        .where(Account.id == account_id, Account.email_verified_at.is_not(None))
    )
    return await session.scalar(query) or ""
