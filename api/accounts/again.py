"""Asking again who it is, before what cannot be taken back: by password, or, where there is none, by a fresh sign-in."""

from datetime import timedelta

from sqlalchemy import select

from api.accounts.credentials import Identity
from api.accounts.models import AccountSession
from api.accounts.service import Origin, check_password
from api.db import now
from api.errors import ApiError
from api.state import State


class SignInAgain(ApiError):
    """The account has no password, and its sign-in is not fresh."""

    status, code = 403, "sign_in_again"


async def require_again(state: State, caller: Identity, password: str, origin: Origin) -> None:
    """Nothing, if it is the account's owner. Raises `WrongCredentials`, `TooManyRequests`, `SignInAgain`."""
    account = caller.account
    if account.has_password:
        await check_password(state.door, account.email, password, account, origin, known=True)
        return
    since = now() - timedelta(seconds=state.settings.recent_sign_in_s)
    mine = AccountSession.id == caller.credential_id, AccountSession.created_at >= since
    async with state.db.read() as session:
        if await session.scalar(select(AccountSession.id).where(*mine)) is None:
            raise SignInAgain("Sign out and in again first: this asks for a sign-in that is fresh.")
