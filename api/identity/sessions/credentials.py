"""Creates, lists and revokes sessions and API tokens."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts.hashing import new_token, token_hash
from api.identity.accounts.models import Account, AccountSession, ApiToken
from api.kit.db.database import Database, changed, hold, now
from api.kit.errors import ApiError
from api.kit.ids import new_id

TOKEN_PREFIX = "gradus_"


class CredentialNotFound(ApiError):
    """The account has no such session or token."""

    status, code = 404, "credential_not_found"


class TooManyTokens(ApiError):
    """The account already has the maximum number of API tokens."""

    status, code = 409, "too_many_tokens"


class Banned(ApiError):
    """An admin has banned the account."""

    status, code = 403, "banned"


def refuse_banned(reason: str | None) -> None:
    """Raise `Banned` unless `reason` is None. Only banned accounts have a reason."""
    if reason is not None:
        raise Banned(f"An admin of this site has banned this account: {reason}")


@dataclass(frozen=True)
class Identity:
    """The account that sent a request, and the credential it used."""

    account: Account
    via: Literal["session", "token"]
    credential_id: str

    @property
    def is_admin(self) -> bool:
        """Whether the account may administer this site."""
        return self.account.role == "admin"


async def create_token(db: Database, account_id: str, name: str, limit: int) -> tuple[ApiToken, str]:
    """Create an API token, and return its row and its secret. Raises `TooManyTokens`."""
    secret = new_token(TOKEN_PREFIX)
    row = ApiToken(
        id=new_id(),
        account_id=account_id,
        name=name,
        token_hash=token_hash(secret),
        hint=secret[: len(TOKEN_PREFIX) + 4] + "…",
        created_at=now(),
        last_used_at=None,
    )
    async with db.write() as session:
        await hold(session, f"tokens {account_id}")
        count = await session.scalar(select(func.count()).where(ApiToken.account_id == account_id))
        if (count or 0) >= limit:
            raise TooManyTokens(f"You already have {limit} API tokens. Revoke one first.")
        session.add(row)
    return row, secret


async def list_tokens(session: AsyncSession, account_id: str) -> list[ApiToken]:
    """Return the API tokens of an account, newest first."""
    query = select(ApiToken).where(ApiToken.account_id == account_id).order_by(ApiToken.id.desc())
    return list(await session.scalars(query))


async def list_sessions(session: AsyncSession, account_id: str, idle_hours: int) -> list[AccountSession]:
    """Return the sessions of an account that have not expired, newest first."""
    query = select(AccountSession).where(
        AccountSession.account_id == account_id,
        AccountSession.expires_at > now(),
        AccountSession.last_used_at > now() - timedelta(hours=idle_hours),
    )
    return list(await session.scalars(query.order_by(AccountSession.id.desc())))


async def revoke(
    session: AsyncSession, kind: type[AccountSession] | type[ApiToken], account_id: str, credential_id: str
) -> None:
    """Revoke one session or API token of an account immediately. Raises `CredentialNotFound`."""
    query = delete(kind).where(kind.id == credential_id, kind.account_id == account_id)
    if not changed(await session.execute(query)):
        raise CredentialNotFound("You have no such session or token. It may have been revoked already.")


async def revoke_all(session: AsyncSession, kind: type[AccountSession] | type[ApiToken], account_id: str) -> None:
    """Revoke all sessions or all API tokens of an account immediately."""
    await session.execute(delete(kind).where(kind.account_id == account_id))
