"""One-time links in mail. A link has one purpose and proves that its user can read mail to one address. The page that it
opens sends the token in a separate request, so programs that merely open the links in a mail do not use them up.
"""

import json
from datetime import timedelta
from enum import StrEnum

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts.hashing import new_token, token_hash
from api.identity.accounts.models import OneTimeLink
from api.kit.db.database import changed, now
from api.kit.errors import ApiError
from api.kit.ids import new_id


class Purpose(StrEnum):
    """The purpose of a link. The token begins with it, so that the page knows which form to show."""

    REGISTER = "new"
    VERIFY = "verify"
    CHANGE = "change"
    RESET = "reset"


PAGES = {Purpose.RESET: "/reset"}
LASTS = {Purpose.RESET: timedelta(hours=1)}
A_DAY = timedelta(days=1)


class BadLink(ApiError):
    """The link was used before, has expired or never existed. The error is the same for all three, so that it reveals
    nothing.
    """

    status, code = 410, "bad_link"

    def __init__(self) -> None:
        super().__init__("This link was already used, or it has expired. Request another email.")


async def make(
    session: AsyncSession, purpose: Purpose, email: str, account_id: str | None = None, data: str = "{}"
) -> str:
    """Create a link and return its path on this site. The token comes after "#", which browsers do not send, so it is never
    logged by a server.
    """
    token = new_token(f"{purpose}_")
    lasts = LASTS.get(purpose, A_DAY)
    session.add(
        OneTimeLink(
            id=new_id(),
            account_id=account_id,
            token_hash=token_hash(token),
            purpose=purpose,
            email=email,
            data=data,
            expires_at=now() + lasts,
        )
    )
    return f"{PAGES.get(purpose, '/verify')}#{token}"


async def read(session: AsyncSession, token: str, *purposes: Purpose) -> OneTimeLink:
    """Return the link with this token. Raises `BadLink` if there is none, if it has expired, or if it has another purpose."""
    fresh = OneTimeLink.purpose.in_(purposes), OneTimeLink.expires_at > now()
    link: OneTimeLink | None = await session.scalar(
        select(OneTimeLink).where(OneTimeLink.token_hash == token_hash(token), *fresh)
    )
    if link is None:
        raise BadLink
    return link


async def use_up(session: AsyncSession, link: OneTimeLink) -> None:
    """Delete the link, and all other links of its account with the same purpose. Raises `BadLink` if it was used in the
    meantime.
    """
    if not changed(await session.execute(delete(OneTimeLink).where(OneTimeLink.id == link.id))):
        raise BadLink
    if link.account_id is not None:
        same = OneTimeLink.account_id == link.account_id, OneTimeLink.purpose == link.purpose
        await session.execute(delete(OneTimeLink).where(*same))


def waiting_data(link: OneTimeLink) -> dict[str, str]:
    """Return the data that was stored with a link."""
    data: dict[str, str] = json.loads(link.data)
    return data
