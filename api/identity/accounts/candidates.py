"""Candidates: people who take an assessment by invitation. A candidate is an account without email and password. It is
created for a single participation, can be used for nothing else, and is erased together with the participation.
"""

from typing import Any

from sqlalchemy import ColumnElement, exists
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.identity.accounts import guests
from api.identity.accounts.models import Account

ROLE = "candidate"
# Roles of temporary accounts. These accounts have no profile, and appear neither on leaderboards nor in lists of accounts.
PASSING = (guests.ROLE, ROLE)


def make(session: AsyncSession, name: str) -> Account:
    return guests.make(session, ROLE, name)


def owns(account_id: Any) -> ColumnElement[bool]:
    """Build the SQL condition that an account id belongs to a candidate. Only the candidate's team may see what the candidate
    does.
    """
    who = aliased(Account)
    return exists().where(who.id == account_id, who.role == ROLE)


def is_candidate(account: Account) -> bool:
    return account.role == ROLE
