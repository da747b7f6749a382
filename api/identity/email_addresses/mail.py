"""The texts of mail about accounts. A text is composed only when the mail is sent. Whether the address has an account is looked
up at the same time, and not when the mail is requested. The request therefore takes the same time for every address, and does
not reveal which addresses have an account.
"""

import json
from collections.abc import Awaitable, Callable, Mapping

from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts import guests, one_time_links
from api.identity.accounts.models import Account
from api.identity.accounts.one_time_links import Purpose
from api.identity.mail.message import Content
from api.identity.mail.models import OutboxMail
from api.identity.mail.sender import Writer
from api.identity.sign_in.service import by_email

NOT_YOU = "If this was not you, ignore this email. Nothing will happen."
WORRIED = (
    "If this was not you, request a new password on the sign-in page now. This signs you out everywhere and revokes your "
    "API tokens."
)

Kind = Callable[[AsyncSession, OutboxMail, str], Awaitable[Content | None]]


def writer(url: str, kinds: Mapping[str, Kind]) -> Writer:
    """Return a function that composes mails. `kinds` maps each kind of mail to the function that composes it. Links in the
    mails lead to the service at `url`.
    """

    async def write(session: AsyncSession, mail: OutboxMail) -> Content | None:
        return await kinds[mail.kind](session, mail, url)

    return write


async def _register(session: AsyncSession, mail: OutboxMail, url: str) -> Content | None:
    if account := await by_email(session, mail.address):
        mail.account_id = account.id
        return _taken(url)
    path = await one_time_links.make(session, Purpose.REGISTER, mail.address, data=mail.data)
    text = "An account at Gradus was requested for this address. Verify the address with this link:"
    lasts = "The link can be used once and expires in a day. Enter the password that you chose."
    return Content("Verify your email address", (text, lasts, NOT_YOU), url + path, "Verify email")


async def _verify(session: AsyncSession, mail: OutboxMail, url: str) -> Content | None:
    account = await session.get(Account, mail.account_id)
    if account is None or account.email != mail.address or account.email_verified:
        return None
    path = await one_time_links.make(session, Purpose.VERIFY, mail.address, account.id)
    text = "Your account at Gradus has this address. Verify that it is yours:"
    return Content(
        "Verify your email address",
        (text, "The link can be used once and expires in a day.", NOT_YOU),
        url + path,
        "Verify email",
    )


async def _change(session: AsyncSession, mail: OutboxMail, url: str) -> Content | None:
    account = await session.get(Account, mail.account_id)
    if account is None:
        return None
    if other := await by_email(session, mail.address):
        mail.account_id = other.id
        return _taken(url)
    path = await one_time_links.make(session, Purpose.CHANGE, mail.address, account.id)
    text = "A Gradus account is to be moved to this address. Confirm the change with this link:"
    return Content(
        "Confirm your new email address",
        (text, "The link can be used once and expires in a day.", NOT_YOU),
        url + path,
        "Use this address",
    )


async def _reset(session: AsyncSession, mail: OutboxMail, url: str) -> Content | None:
    account = await by_email(session, mail.address)
    if account is None or guests.is_guest(account):
        return None
    mail.account_id = account.id
    path = await one_time_links.make(session, Purpose.RESET, mail.address, account.id)
    text = "A new password was requested for your account at Gradus. Set it with this link:"
    return Content(
        "Reset your password",
        (text, "The link can be used once and expires in one hour.", NOT_YOU),
        url + path,
        "Set a new password",
    )


async def _password(session: AsyncSession, mail: OutboxMail, url: str) -> Content | None:
    return Content("Your password was changed", ("The password of your account at Gradus was changed.", WORRIED))


async def _moved(session: AsyncSession, mail: OutboxMail, url: str) -> Content | None:
    text = "Your account at Gradus has another email address now. This one is no longer used."
    return Content(
        "Your email address was changed", (text, "If this was not you, contact the operators of the site: " + url)
    )


async def _linked(session: AsyncSession, mail: OutboxMail, url: str) -> Content | None:
    name = json.loads(mail.data)["provider"]
    return Content(f"Sign-in with {name}", (f"You can now sign in to your account at Gradus with {name}.", WORRIED))


async def _unlinked(session: AsyncSession, mail: OutboxMail, url: str) -> Content | None:
    name = json.loads(mail.data)["provider"]
    return Content(
        f"Sign-in with {name} removed", (f"You can no longer sign in to your account at Gradus with {name}.", WORRIED)
    )


def _taken(url: str) -> Content:
    text = "This address was entered for a new account at Gradus, but you already have an account. Sign in here:"
    forgotten = "If you have forgotten the password, choose “Forgot your password?” there."
    return Content("You already have an account", (text, forgotten, NOT_YOU), f"{url}/sign-in", "Sign in")


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
