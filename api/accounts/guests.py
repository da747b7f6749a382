"""Guests: somebody who tries the site before signing up. A guest is an account without e-mail and password; whoever signs up
or in from the same browser keeps what the guest did.
"""

from collections.abc import Awaitable, Callable

from sqlalchemy import delete, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.models import Account, AccountSession, ApiToken
from api.db import Table, now
from api.ids import new_id

ROLE = "guest"
# A hash that no password has.
_NO_PASSWORD = ""
_CREDENTIALS = {AccountSession.__tablename__, ApiToken.__tablename__}
# Called with (session, guest's id, account's id).
Settling = Callable[[AsyncSession, str, str], Awaitable[None]]
_settling: list[Settling] = []


def settles(rule: Settling) -> Settling:
    """Mark what a room does before a guest's rows become an account's: where both have one, one row must remain."""
    _settling.append(rule)
    return rule


def make(session: AsyncSession, role: str = ROLE, name: str = "Guest") -> Account:
    """A new guest, or an account of another role that has no e-mail and no password either."""
    own = new_id()
    # No e-mail address can end like this (RFC 2606), so nobody can register, or sign in, as somebody's guest.
    email = f"{own}@{role}.invalid"
    account = Account(id=own, email=email, name=name, password_hash=_NO_PASSWORD, role=role, created_at=now())
    session.add(account)
    return account


def is_guest(account: Account) -> bool:
    """Whether an account is one of a guest."""
    return account.role == ROLE


async def hand_over(session: AsyncSession, guest_id: str, account_id: str) -> None:
    """Everything that the guest did belongs to the account from now on; the guest is gone."""
    for settle in _settling:
        await settle(session, guest_id, account_id)
    for table in Table.metadata.sorted_tables:
        if "account_id" in table.c and table.name not in _CREDENTIALS:
            await session.execute(update(table).where(table.c.account_id == guest_id).values(account_id=account_id))
    await session.execute(delete(Account).where(Account.id == guest_id, Account.role == ROLE))
