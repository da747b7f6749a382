"""Sessions and API tokens: making, listing, revoking."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.models import Account, AccountSession, ApiToken
from api.accounts.secrets import new_token, token_hash
from api.db import Database, changed, hold, now
from api.errors import ApiError
from api.ids import new_id

TOKEN_PREFIX = "gradus_"


class CredentialNotFound(ApiError):
    """No such session or token of this account."""

    status, code = 404, "credential_not_found"


class TooManyTokens(ApiError):
    """The account has as many API tokens as are allowed."""

    status, code = 409, "too_many_tokens"


class Banned(ApiError):
    """An admin has closed the account."""

    status, code = 403, "banned"


def refuse_banned(reason: str | None) -> None:
    """Nobody enters a closed account. Raises `Banned`."""
    if reason is not None:
        raise Banned(f"This account was closed by an admin of this site: {reason}")


@dataclass(frozen=True)
class Identity:
    """Who sent a request, and by which credential."""

    account: Account
    via: Literal["session", "token"]
    credential_id: str

    @property
    def is_admin(self) -> bool:
        """Whether the account may run this site."""
        return self.account.role == "admin"


async def create_token(db: Database, account_id: str, name: str, limit: int) -> tuple[ApiToken, str]:
    """A new API token and its secret. Raises `TooManyTokens`."""
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
            raise TooManyTokens(f"You have {limit} API tokens already. Revoke one first.")
        session.add(row)
    return row, secret


async def list_tokens(session: AsyncSession, account_id: str) -> list[ApiToken]:
    """API tokens of an account, newest first."""
    query = select(ApiToken).where(ApiToken.account_id == account_id).order_by(ApiToken.id.desc())
    return list(await session.scalars(query))


async def list_sessions(session: AsyncSession, account_id: str, idle_hours: int) -> list[AccountSession]:
    """Sign-ins of an account that have not expired, newest first."""
    query = select(AccountSession).where(
        AccountSession.account_id == account_id,
        AccountSession.expires_at > now(),
        AccountSession.last_used_at > now() - timedelta(hours=idle_hours),
    )
    return list(await session.scalars(query.order_by(AccountSession.id.desc())))


async def revoke(
    session: AsyncSession, kind: type[AccountSession] | type[ApiToken], account_id: str, credential_id: str
) -> None:
    """Make a credential worthless at once. Raises `CredentialNotFound`."""
    query = delete(kind).where(kind.id == credential_id, kind.account_id == account_id)
    if not changed(await session.execute(query)):
        raise CredentialNotFound("You have no such session or token; perhaps it was revoked already.")


async def revoke_all(session: AsyncSession, kind: type[AccountSession] | type[ApiToken], account_id: str) -> None:
    """Make every credential of this kind worthless at once."""
    await session.execute(delete(kind).where(kind.account_id == account_id))
