"""Before actions that cannot be undone, requires that the user proves their identity once more: with the password or, if the
account has none, by a recent sign-in.
"""

from datetime import timedelta

from sqlalchemy import select

from api.identity.accounts.models import AccountSession
from api.identity.sessions.credentials import Identity
from api.identity.sessions.origin import Origin
from api.identity.sign_in.service import SignInLimits, check_own_password
from api.kit.db.database import Database, now
from api.kit.errors import ApiError


class SignInAgain(ApiError):
    """The account has no password, and its last sign-in is not recent enough."""

    status, code = 403, "sign_in_again"


async def require_again(db: Database, limits: SignInLimits, caller: Identity, password: str, origin: Origin) -> None:
    """Check the password or, for an account without one, that the last sign-in is recent. Raises `WrongCredentials`,
    `TooManyRequests`, `SignInAgain`.
    """
    account = caller.account
    if account.has_password:
        await check_own_password(limits, account, password, origin)
        return
    since = now() - timedelta(seconds=limits.settings.recent_sign_in_s)
    mine = AccountSession.id == caller.credential_id, AccountSession.created_at >= since
    async with db.read() as session:
        if await session.scalar(select(AccountSession.id).where(*mine)) is None:
            raise SignInAgain("This requires a recent sign-in. Sign out and in again first.")
