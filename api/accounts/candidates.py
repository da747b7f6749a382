"""Candidates: whoever takes an assessment by an invitation. A candidate is an account without e-mail and password that is made
for one participation, may do nothing else, and is erased with it.
"""

from typing import Any

from sqlalchemy import ColumnElement, exists
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.accounts import guests
from api.accounts.models import Account

ROLE = "candidate"
# Whoever has one of these roles has no account of their own: no profile, no place on a board, no line in a list.
PASSING = (guests.ROLE, ROLE)


def make(session: AsyncSession, name: str) -> Account:
    """A new candidate."""
    return guests.make(session, ROLE, name)


def owns(account_id: Any) -> ColumnElement[bool]:
    """The condition that a column names a candidate: what candidates do is shown to their team alone."""
    who = aliased(Account)
    return exists().where(who.id == account_id, who.role == ROLE)


def is_candidate(account: Account) -> bool:
    """Whether an account is one of a candidate."""
    return account.role == ROLE
