"""What the letters say. It is made up when a letter is sent: only then is it looked up whether an address has an account,
so that asking for a letter takes the same time for every address.
"""

import json
from collections.abc import Awaitable, Callable, Mapping

from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts import guests, links
from api.accounts.links import Purpose
from api.accounts.models import Account
from api.accounts.service import by_email
from api.letters.message import Content
from api.letters.models import Letter
from api.letters.postman import Writer

NOT_YOU = "If this was not you, ignore this letter: nothing happens."
WORRIED = (
    "If this was not you, ask for a new password on the sign-in page at once: that ends every session and API token."
)

Kind = Callable[[AsyncSession, Letter, str], Awaitable[Content | None]]


def writer(url: str, kinds: Mapping[str, Kind]) -> Writer:
    """Writes letters of these kinds, of the service at this address."""

    async def write(session: AsyncSession, letter: Letter) -> Content | None:
        return await kinds[letter.kind](session, letter, url)

    return write


async def _register(session: AsyncSession, letter: Letter, url: str) -> Content | None:
    if account := await by_email(session, letter.address):
        letter.account_id = account.id
        return _taken(url)
    path = await links.make(session, Purpose.REGISTER, letter.address, data=letter.data)
    told = "Somebody, hopefully you, wants an account at Gradus with this address. Confirm it with this link:"
    lasts = "The link works once, for a day. Give it the password that you chose."
    return Content("Confirm your new account", (told, lasts, NOT_YOU), url + path, "Confirm the account")


async def _verify(session: AsyncSession, letter: Letter, url: str) -> Content | None:
    account = await session.get(Account, letter.account_id)
    if account is None or account.email != letter.address or account.email_verified:
        return None
    path = await links.make(session, Purpose.VERIFY, letter.address, account.id)
    told = "Your account at Gradus has this address. Confirm that it is yours:"
    return Content(
        "Confirm your address", (told, "The link works once, for a day.", NOT_YOU), url + path, "Confirm the address"
    )


async def _change(session: AsyncSession, letter: Letter, url: str) -> Content | None:
    account = await session.get(Account, letter.account_id)
    if account is None:
        return None
    if other := await by_email(session, letter.address):
        letter.account_id = other.id
        return _taken(url)
    path = await links.make(session, Purpose.CHANGE, letter.address, account.id)
    told = "Somebody, hopefully you, wants to use this address for an account at Gradus. Confirm it with this link:"
    return Content(
        "Confirm your new address", (told, "The link works once, for a day.", NOT_YOU), url + path, "Use this address"
    )


async def _reset(session: AsyncSession, letter: Letter, url: str) -> Content | None:
    account = await by_email(session, letter.address)
    if account is None or guests.is_guest(account):
        return None
    letter.account_id = account.id
    path = await links.make(session, Purpose.RESET, letter.address, account.id)
    told = "Somebody, hopefully you, asked for a new password for your account at Gradus. Choose it here:"
    return Content(
        "A new password", (told, "The link works once, for an hour.", NOT_YOU), url + path, "Choose a password"
    )


async def _password(session: AsyncSession, letter: Letter, url: str) -> Content | None:
    return Content("Your password was changed", ("The password of your account at Gradus was changed.", WORRIED))


async def _moved(session: AsyncSession, letter: Letter, url: str) -> Content | None:
    told = "Your account at Gradus has another e-mail address now. This one is no longer used."
    return Content("Your address was changed", (told, "If this was not you, write to those who run the site: " + url))


async def _linked(session: AsyncSession, letter: Letter, url: str) -> Content | None:
    name = json.loads(letter.data)["provider"]
    return Content(f"Sign-in by {name}", (f"Your account at Gradus can be signed in to by {name} now.", WORRIED))


async def _unlinked(session: AsyncSession, letter: Letter, url: str) -> Content | None:
    name = json.loads(letter.data)["provider"]
    return Content(f"No more sign-in by {name}", (f"{name} no longer opens your account at Gradus.", WORRIED))


def _taken(url: str) -> Content:
    told = "Somebody, hopefully you, tried to use this address for an account at Gradus. You have one already: sign in here."
    forgotten = "If you do not know the password any more, choose «Forgot the password?» there."
    return Content("You have an account already", (told, forgotten, NOT_YOU), f"{url}/sign-in", "Sign in")


KINDS: dict[str, Kind] = {
    "register": _register,
    "verify": _verify,
    "change": _change,
    "reset": _reset,
    "password": _password,
    "moved": _moved,
    "linked": _linked,
    "unlinked": _unlinked,
}
