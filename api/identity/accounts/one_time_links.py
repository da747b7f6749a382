"""One-time links in emails. A link has one purpose. It proves that the person who uses it can read email to one address.

Opening a link does not use it up, because some mail programs open all links in an email. The page that opens sends the token in a
separate request, which uses the link up.
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
    """The purpose of a link. The token of the link begins with the purpose, so that the page knows which form to show."""

    REGISTER = "new"
    VERIFY = "verify"
    CHANGE = "change"
    RESET = "reset"


PAGES = {Purpose.RESET: "/reset"}
LASTS = {Purpose.RESET: timedelta(hours=1)}
A_DAY = timedelta(days=1)


class BadLink(ApiError):
    """The link was used before, has expired or never existed. The error does not say which of the three is the case, so that a
    guessed link reveals nothing.
    """

    status, code = 410, "bad_link"

    def __init__(self) -> None:
        super().__init__("This link was already used, or it has expired. Request another email.")


async def make(
    session: AsyncSession, purpose: Purpose, email: str, account_id: str | None = None, data: str = "{}"
) -> str:
    """Create a link and return its path on this site. The token is the part of the path after the "#". Browsers do not send
    this part to servers, so no server logs the token.
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
    """Return the link with this token. Raises `BadLink` if there is none, or if the link has expired or has another purpose."""
    fresh = OneTimeLink.purpose.in_(purposes), OneTimeLink.expires_at > now()
    link: OneTimeLink | None = await session.scalar(
        select(OneTimeLink).where(OneTimeLink.token_hash == token_hash(token), *fresh)
    )
    if link is None:
        raise BadLink
    return link


async def use_up(session: AsyncSession, link: OneTimeLink) -> None:
    """Delete the link, and all other links of the same account with the same purpose. Raises `BadLink` if another request has
    already used the link.
    """
    if not changed(await session.execute(delete(OneTimeLink).where(OneTimeLink.id == link.id))):
        raise BadLink
    if link.account_id is not None:
        same = OneTimeLink.account_id == link.account_id, OneTimeLink.purpose == link.purpose
        await session.execute(delete(OneTimeLink).where(*same))


def waiting_data(link: OneTimeLink) -> dict[str, str]:
    """Return the data that was stored with a link, which waits for the link to be used."""
    data: dict[str, str] = json.loads(link.data)
    return data
