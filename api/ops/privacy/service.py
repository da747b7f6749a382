"""Deletes accounts when their owners request it, and guest accounts that are abandoned."""

from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.teams.models import TeamInvitation
from api.hiring.teams.service import delete_sole_teams
from api.identity.accounts import guests
from api.identity.accounts.models import Account, AccountSession, OneTimeLink
from api.identity.mail.models import OutboxMail, Status
from api.kit.db.database import Database, delete_some, now
from api.kit.errors import ApiError
from api.ops.privacy.rows import erase_addressed
from api.practice.discussions import service as discussions
from api.settings import Settings

# Maximum number of rows of one kind that are deleted in one transaction. A longer transaction would block other writers.
AT_ONCE = 200


class LastAdmin(ApiError):
    """This account is the only admin, so it cannot be deleted."""

    status, code = 409, "last_admin"


async def erase(db: Database, account: Account) -> None:
    """Delete the account, all rows about it, and the teams that have no other member. Raises `LastAdmin`, `LastOwner`."""
    async with db.write() as session:
        admins = select(Account.id).where(Account.role == "admin").with_for_update()
        if list(await session.scalars(admins)) == [account.id]:
            raise LastAdmin("You are the only admin of this site. Make another account an admin first.")
        await delete_sole_teams(session, account.id)
        await discussions.erase(session, account.id)
        await erase_addressed(session, account.id)
        # Mail to this address, and links in it, may not refer to the account yet, so they are deleted by the address.
        await session.execute(delete(OutboxMail).where(OutboxMail.address == account.email))
        await session.execute(delete(OneTimeLink).where(OneTimeLink.email == account.email))
        await session.execute(delete(Account).where(Account.id == account.id))


async def sweep(db: Database, settings: Settings) -> bool:
    """Delete guests who have not visited the site for `guest_days` days, expired links, and old mail and invitations. At most
    `AT_ONCE` rows of each are deleted. Returns whether there may be more to delete.
    """
    moment = now()
    idle = moment - timedelta(days=settings.guest_days)
    old = moment - timedelta(days=settings.letter_days)
    async with db.write() as session:
        counts = [
            await _sweep_guests(session, idle),
            await delete_some(session, OneTimeLink, OneTimeLink.expires_at < moment, AT_ONCE),
            await delete_some(
                session, OutboxMail, (OutboxMail.status != Status.QUEUED) & (OutboxMail.ended_at < old), AT_ONCE
            ),
            await delete_some(session, TeamInvitation, TeamInvitation.expires_at < old, AT_ONCE),
        ]
    return max(counts) >= AT_ONCE


async def _sweep_guests(session: AsyncSession, idle: datetime) -> int:
    seen = select(AccountSession.id).where(AccountSession.account_id == Account.id, AccountSession.last_used_at >= idle)
    gone = (Account.role == guests.ROLE) & (Account.created_at < idle) & ~seen.exists()
    return await delete_some(session, Account, gone, AT_ONCE)
