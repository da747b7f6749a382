"""One-time links in letters. A link is good for one purpose and proves one address; the page that it opens sends its token, so
that programs which only look at links in letters use none up.
"""

import json
from datetime import timedelta
from enum import StrEnum

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.models import LetterLink
from api.accounts.secrets import new_token, token_hash
from api.db import changed, now
from api.errors import ApiError
from api.ids import new_id


class Purpose(StrEnum):
    """What a link is good for. Its token begins with it, so that the page knows what to ask."""

    REGISTER = "new"
    VERIFY = "verify"
    CHANGE = "change"
    RESET = "reset"


PAGES = {Purpose.RESET: "/reset"}
LASTS = {Purpose.RESET: timedelta(hours=1)}
A_DAY = timedelta(days=1)


class BadLink(ApiError):
    """The same answer for a link that was used, has expired or never was."""

    status, code = 410, "bad_link"

    def __init__(self) -> None:
        super().__init__("This link was used already, or it is too old. Ask for another letter.")


async def make(
    session: AsyncSession, purpose: Purpose, email: str, account_id: str | None = None, data: str = "{}"
) -> str:
    """A new link's address within the site. The token stands behind «#»: no server ever logs it."""
    token = new_token(f"{purpose}_")
    lasts = LASTS.get(purpose, A_DAY)
    session.add(
        LetterLink(
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


async def read(session: AsyncSession, token: str, *purposes: Purpose) -> LetterLink:
    """The link of a token, unused. Raises `BadLink`."""
    fresh = LetterLink.purpose.in_(purposes), LetterLink.expires_at > now()
    link: LetterLink | None = await session.scalar(
        select(LetterLink).where(LetterLink.token_hash == token_hash(token), *fresh)
    )
    if link is None:
        raise BadLink
    return link


async def use_up(session: AsyncSession, link: LetterLink) -> None:
    """The link is worthless from now on, and so are its account's others of this purpose. Raises `BadLink`."""
    if not changed(await session.execute(delete(LetterLink).where(LetterLink.id == link.id))):
        raise BadLink
    if link.account_id is not None:
        same = LetterLink.account_id == link.account_id, LetterLink.purpose == link.purpose
        await session.execute(delete(LetterLink).where(*same))


def waiting_data(link: LetterLink) -> dict[str, str]:
    """What waits for a link."""
    told: dict[str, str] = json.loads(link.data)
    return told
