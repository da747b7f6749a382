"""Whom a provider's word signs in, and which accounts it is linked to."""

from dataclasses import dataclass
from enum import StrEnum

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts import service as accounts
from api.accounts.models import Account, ProviderLink
from api.accounts.schemas import Email, Name
from api.accounts.service import Door, Origin
from api.db import Database, now
from api.errors import ApiError, Forbidden, TooManyRequests
from api.ids import new_id
from api.letters import outbox
from api.providers.client import Person
from api.settings import Provider
from api.text import one_form, printable

EMAIL: TypeAdapter[str] = TypeAdapter(Email)
NAME: TypeAdapter[str] = TypeAdapter(Name)


class Trouble(StrEnum):
    """Why nobody was signed in; the sign-in page has a sentence for each."""

    CANCELLED = "cancelled"
    STALE = "stale"
    FAILED = "failed"
    UNVERIFIED = "unverified"
    HAS_PASSWORD = "has_password"
    LINKED_ELSEWHERE = "linked_elsewhere"
    LINKED_ALREADY = "linked_already"
    BANNED = "banned"
    CLOSED = "closed"
    TOO_MANY = "too_many"


class Refused(Exception):
    """The provider's word signs nobody in."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble)
        self.trouble = trouble


class NoSuchProvider(ApiError):
    """No provider has this id, or the account is not linked to it."""

    status, code = 404, "provider_not_found"


class NotReachable(ApiError):
    """The provider does not answer, or not as it must."""

    status, code = 409, "provider_not_reachable"


class LastWayIn(ApiError):
    """The account could not be signed in to any more."""

    status, code = 409, "last_way_in"


@dataclass(frozen=True)
class Caller:
    """Where a sign-in comes from, and what limits it."""

    door: Door
    origin: Origin


async def sign_in(db: Database, caller: Caller, provider: Provider, person: Person) -> Account:
    """The account that this person has here, new if need be. An account with a password is never linked by an e-mail address
    alone: its owner signs in and links it himself. Raises `Refused`.
    """
    async with db.read() as session:
        account = await _linked(session, person)
        known = account or await accounts.by_email(session, person.email)
    if known is not None and known.ban is not None:
        raise Refused(Trouble.BANNED)
    if account is not None:
        return account
    if not person.email_verified or not _is_email(person.email):
        raise Refused(Trouble.UNVERIFIED)
    if known is not None and (known.has_password or not known.email_verified):
        raise Refused(Trouble.HAS_PASSWORD)
    if known is None:
        _may_register(caller)
    try:
        async with db.write() as session:
            return await _link_by_email(session, provider, person)
    except IntegrityError:
        # Another browser of the same person was quicker.
        raise Refused(Trouble.STALE) from None


async def link(db: Database, account: Account, provider: Provider, person: Person) -> None:
    """From now on this person at the provider signs in to the account. Raises `Refused`."""
    async with db.read() as session:
        owner = await _linked(session, person)
    if owner is not None:
        if owner.id == account.id:
            return
        raise Refused(Trouble.LINKED_ELSEWHERE)
    try:
        async with db.write() as session:
            await _add(session, account, provider, person)
    except IntegrityError:
        raise Refused(Trouble.LINKED_ALREADY) from None


async def unlink(db: Database, account: Account, provider: Provider) -> None:
    """The provider signs nobody in to this account any more. Raises `NoSuchProvider`, `LastWayIn`."""
    mine = ProviderLink.account_id == account.id
    async with db.write() as session:
        fresh = await session.get_one(Account, account.id, with_for_update=True)
        ways = list(await session.scalars(select(ProviderLink.issuer).where(mine)))
        if provider.issuer not in ways:
            raise NoSuchProvider("Your account is not linked to this provider.")
        if len(ways) == 1 and not fresh.has_password:
            raise LastWayIn(
                "You could not sign in any more. Choose a password first: «Forgot the password?» sends a link."
            )
        await session.execute(delete(ProviderLink).where(mine, ProviderLink.issuer == provider.issuer))
        await outbox.put(session, "unlinked", account.email, account.id, provider=provider.name)


async def links_of(session: AsyncSession, account_id: str) -> list[ProviderLink]:
    """The providers that sign in to an account."""
    query = select(ProviderLink).where(ProviderLink.account_id == account_id)
    return list(await session.scalars(query.order_by(ProviderLink.id)))


async def _linked(session: AsyncSession, person: Person) -> Account | None:
    account: Account | None = await session.scalar(
        select(Account)
        .join(ProviderLink, ProviderLink.account_id == Account.id)
        .where(ProviderLink.issuer == person.issuer, ProviderLink.subject == person.subject)
    )
    return account


async def _link_by_email(session: AsyncSession, provider: Provider, person: Person) -> Account:
    account = await accounts.by_email(session, person.email)
    if account is not None and (account.has_password or not account.email_verified):
        raise Refused(Trouble.HAS_PASSWORD)
    if account is None:
        account = accounts.add(session, person.email, _name(person), "", role="account")
        account.email_verified_at = now()
        await session.flush()
    await _add(session, account, provider, person)
    return account


async def _add(session: AsyncSession, account: Account, provider: Provider, person: Person) -> None:
    session.add(
        ProviderLink(
            id=new_id(),
            account_id=account.id,
            issuer=person.issuer,
            subject=person.subject,
            email=printable(person.email),
            created_at=now(),
        )
    )
    await session.flush()
    await outbox.put(session, "linked", account.email, account.id, provider=provider.name)


def _may_register(caller: Caller) -> None:
    try:
        accounts.count_registration(caller.door, caller.origin)
    except Forbidden:
        raise Refused(Trouble.CLOSED) from None
    except TooManyRequests:
        raise Refused(Trouble.TOO_MANY) from None


def _is_email(email: str) -> bool:
    try:
        return EMAIL.validate_python(email) == email
    except ValidationError:
        return False


def _name(person: Person) -> str:
    """The provider's name for the person, if it is one that could be typed here; else the address's first part."""
    for name in (one_form(person.name)[:80], person.email.partition("@")[0][:80]):
        try:
            return NAME.validate_python(name)
        except ValidationError:
            continue
    return "Candidate"
