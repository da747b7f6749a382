"""Before actions that cannot be undone, and before a change of the password, requires that the user proves their identity once
more: with the password or, if the account has none, by a recent sign-in.
"""

from datetime import timedelta

from sqlalchemy import select, update

from api.identity.accounts.hashing import hash_password
from api.identity.accounts.models import Account, AccountSession, ApiToken
from api.identity.mail import outbox
from api.identity.sessions import credentials
from api.identity.sessions.credentials import Identity
from api.identity.sessions.origin import Origin
from api.identity.sign_in.schemas import NewPassword
from api.identity.sign_in.service import SignInLimits, WrongCredentials, check_password
from api.kit.db.database import Database, now
from api.kit.errors import ApiError


class SignInAgain(ApiError):
    """The account has no password, and its last sign-in is not recent enough."""

    status, code = 403, "sign_in_again"


async def check_own_password(limits: SignInLimits, account: Account, password: str, origin: Origin) -> None:
    """Check the password of an account that is signed in. Raises `WrongCredentials`, `TooManyRequests`."""
    try:
        await check_password(limits, account.email, password, account, origin, known=True)
    except WrongCredentials:
        raise WrongCredentials("The password is wrong.") from None


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


async def change_password(
    db: Database, limits: SignInLimits, account: Account, wanted: NewPassword, origin: Origin
) -> Account:
    """Replace the password and end all sessions. Raises `WrongCredentials`, `TooManyRequests`."""
    await check_own_password(limits, account, wanted.current, origin)
    hashed = await hash_password(wanted.password)
    async with db.write() as session:
        await session.execute(update(Account).where(Account.id == account.id).values(password_hash=hashed))
        await credentials.revoke_all(session, AccountSession, account.id)
        if wanted.revoke_tokens:
            await credentials.revoke_all(session, ApiToken, account.id)
        await outbox.put(session, "password", account.email, account.id)
    account.password_hash = hashed
    return account
