"""Candidates: people who are invited to take an assessment. A candidate has an account without email and password. This account
is created for a single participation, can be used for nothing else, and is erased together with the participation.
"""

from typing import Any

from sqlalchemy import ColumnElement, exists
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.identity.accounts import guests
from api.identity.accounts.models import Account

ROLE = "candidate"
# Roles of temporary accounts. These accounts have no profile, and do not appear on leaderboards. The admins' list of accounts
# shows guests only on request, and candidates never.
PASSING = (guests.ROLE, ROLE)


def make(session: AsyncSession, name: str) -> Account:
    return guests.make(session, ROLE, name)


def owns(account_id: Any) -> ColumnElement[bool]:
    """Build the SQL condition that this account id belongs to a candidate. Use it to exclude candidates from what admins see,
    because only the team that invited a candidate may see what the candidate does.
    """
    who = aliased(Account)
    return exists().where(who.id == account_id, who.role == ROLE)


def is_candidate(account: Account) -> bool:
    return account.role == ROLE
