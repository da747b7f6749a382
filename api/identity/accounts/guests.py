"""Guests: people who try the site before they sign up. A guest has an account without email and password. When the guest signs
up or signs in with the same browser, the guest's work is moved to the account of that sign-in.
"""

from collections.abc import Awaitable, Callable

from sqlalchemy import delete, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts.models import Account, AccountSession, ApiToken
from api.kit.db.database import now
from api.kit.db.tables import tables
from api.kit.ids import new_id

ROLE = "guest"
# This value is stored instead of a password hash. No password matches it.
_NO_PASSWORD = ""
_CREDENTIALS = {AccountSession.__tablename__, ApiToken.__tablename__}
# The type of the functions that `on_guest_merge` registers. Each is called with the database session, the guest's id and the
# account's id.
MergeRule = Callable[[AsyncSession, str, str], Awaitable[None]]
_merge_rules: list[MergeRule] = []


def on_guest_merge(rule: MergeRule) -> MergeRule:
    """Register a function that runs before a guest's rows are moved to an account. The function is needed for a table that
    allows only one row per account or per account and item: if both guest and account have a row, it must merge the two.
    """
    _merge_rules.append(rule)
    return rule


def make(session: AsyncSession, role: str = ROLE, name: str = "Guest") -> Account:
    """Create the account of a guest, or of another role that has neither email nor password."""
    own = new_id()
    # No real email address ends in .invalid (RFC 2606), so nobody can register or sign in with a guest's address.
    email = f"{own}@{role}.invalid"
    account = Account(id=own, email=email, name=name, password_hash=_NO_PASSWORD, role=role, created_at=now())
    session.add(account)
    return account


def is_guest(account: Account) -> bool:
    return account.role == ROLE


async def merge_into_account(session: AsyncSession, guest_id: str, account_id: str) -> None:
    """Move all of a guest's rows to the account, then delete the guest."""
    for rule in _merge_rules:
        await rule(session, guest_id, account_id)
    for table in tables():
        if "account_id" in table.c and table.name not in _CREDENTIALS:
            await session.execute(update(table).where(table.c.account_id == guest_id).values(account_id=account_id))
    await session.execute(delete(Account).where(Account.id == guest_id, Account.role == ROLE))
