"""Erasing accounts: one that leaves, and guests who do not come back."""

from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts import guests
from api.accounts.models import Account, AccountSession, LetterLink
from api.db import Database, delete_some, now
from api.errors import ApiError
from api.letters.models import Letter, Status
from api.personal.rows import erase_addressed
from api.settings import Settings
from api.teams.models import TeamInvitation
from api.teams.service import let_go

# So many rows of a kind at a time: a long deletion would keep everybody else from writing.
AT_ONCE = 200


class LastAdmin(ApiError):
    """Nobody could run the site any more."""

    status, code = 409, "last_admin"


async def erase(db: Database, account: Account) -> None:
    """Delete the account and every row about it; teams in which nobody else is, too. Raises `LastAdmin`, `LastOwner`."""
    async with db.write() as session:
        admins = select(Account.id).where(Account.role == "admin").with_for_update()
        if list(await session.scalars(admins)) == [account.id]:
            raise LastAdmin("You are the only admin of this site. Make somebody else admin first.")
        await let_go(session, account.id)
        await erase_addressed(session, account.id)
        # Letters and links that nobody has found the account of yet.
        await session.execute(delete(Letter).where(Letter.address == account.email))
        await session.execute(delete(LetterLink).where(LetterLink.email == account.email))
        await session.execute(delete(Account).where(Account.id == account.id))


async def sweep(db: Database, settings: Settings) -> bool:
    """Erase guests who were idle for too long, links that have expired, letters and invitations that ended long ago; at most
    `AT_ONCE` of each. Returns whether there may be more.
    """
    moment = now()
    idle = moment - timedelta(days=settings.guest_days)
    old = moment - timedelta(days=settings.letter_days)
    async with db.write() as session:
        counts = [
            await _sweep_guests(session, idle),
            await delete_some(session, LetterLink, LetterLink.expires_at < moment, AT_ONCE),
            await delete_some(session, Letter, (Letter.status != Status.QUEUED) & (Letter.ended_at < old), AT_ONCE),
            await delete_some(session, TeamInvitation, TeamInvitation.expires_at < old, AT_ONCE),
        ]
    return max(counts) >= AT_ONCE


async def _sweep_guests(session: AsyncSession, idle: datetime) -> int:
    seen = select(AccountSession.id).where(AccountSession.account_id == Account.id, AccountSession.last_used_at >= idle)
    gone = (Account.role == guests.ROLE) & (Account.created_at < idle) & ~seen.exists()
    return await delete_some(session, Account, gone, AT_ONCE)
