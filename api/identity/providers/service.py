"""Rules for signing in with an identity provider: which account a person gets, and when an account is linked to a provider."""

from dataclasses import dataclass
from enum import StrEnum

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.external_service_settings import Provider
from api.identity.accounts.models import Account, ProviderLink
from api.identity.mail import outbox
from api.identity.providers.client import Person
from api.identity.sessions.origin import Origin
from api.identity.sign_in import service as accounts
from api.identity.sign_in.schemas import Email, Name
from api.identity.sign_in.service import SignInLimits
from api.kit.db.database import Database, now
from api.kit.errors import ApiError, Forbidden, TooManyRequests
from api.kit.ids import new_id
from api.kit.text import normalized, printable

EMAIL: TypeAdapter[str] = TypeAdapter(Email)
NAME: TypeAdapter[str] = TypeAdapter(Name)


class SignInProblem(StrEnum):
    """The reasons why a sign-in with a provider fails. The client shows a sentence for each of them."""

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
    """The sign-in with a provider was refused; `problem` is the reason."""

    def __init__(self, problem: SignInProblem) -> None:
        super().__init__(problem)
        self.problem = problem


class NoSuchProvider(ApiError):
    """No provider has this id, or the account is not linked to it."""

    status, code = 404, "provider_not_found"


class NotReachable(ApiError):
    """The provider does not respond, or its response is not valid."""

    status, code = 409, "provider_not_reachable"


class LastWayIn(ApiError):
    """This link is the only way to sign in to the account, so it cannot be removed."""

    status, code = 409, "last_way_in"


@dataclass(frozen=True)
class Caller:
    """The origin of the request that signs in, and the rate limits that apply to it."""

    limits: SignInLimits
    origin: Origin


async def sign_in(db: Database, caller: Caller, provider: Provider, person: Person) -> Account:
    """Return the account of this person, and create one if necessary. If another account has the person's email address, it is
    linked to the provider automatically, but not if it has a password or if its address is not verified. The owner of such an
    account must sign in first and link the provider. Raises `Refused`.
    """
    async with db.read() as session:
        account = await _linked(session, person)
        known = account or await accounts.by_email(session, person.email)
    if known is not None and known.ban is not None:
        raise Refused(SignInProblem.BANNED)
    if account is not None:
        return account
    if not person.email_verified or not _is_email(person.email):
        raise Refused(SignInProblem.UNVERIFIED)
    if known is not None and (known.has_password or not known.email_verified):
        raise Refused(SignInProblem.HAS_PASSWORD)
    if known is None:
        _may_register(caller)
    try:
        async with db.write() as session:
            return await _link_by_email(session, provider, person)
    except IntegrityError:
        # The same person has signed in twice at the same moment, and the other sign-in has just created the account.
        raise Refused(SignInProblem.STALE) from None


async def link(db: Database, account: Account, provider: Provider, person: Person) -> None:
    """Link the account to this person's identity at the provider. Raises `Refused`."""
    async with db.read() as session:
        owner = await _linked(session, person)
    if owner is not None:
        if owner.id == account.id:
            return
        raise Refused(SignInProblem.LINKED_ELSEWHERE)
    try:
        async with db.write() as session:
            await _add(session, account, provider, person)
    except IntegrityError:
        raise Refused(SignInProblem.LINKED_ALREADY) from None


async def unlink(db: Database, account: Account, provider: Provider) -> None:
    """Remove the link between an account and a provider. Raises `NoSuchProvider`, `LastWayIn`."""
    mine = ProviderLink.account_id == account.id
    async with db.write() as session:
        fresh = await session.get_one(Account, account.id, with_for_update=True)
        ways = list(await session.scalars(select(ProviderLink.issuer).where(mine)))
        if provider.issuer not in ways:
            raise NoSuchProvider("Your account is not linked to this provider.")
        if len(ways) == 1 and not fresh.has_password:
            raise LastWayIn(
                "Without this provider you could not sign in any more. Set a password first: “Forgot your password?” "
                "sends a link."
            )
        await session.execute(delete(ProviderLink).where(mine, ProviderLink.issuer == provider.issuer))
        await outbox.put(session, "unlinked", account.email, account.id, provider=provider.name)


async def links_of(session: AsyncSession, account_id: str) -> list[ProviderLink]:
    """Return the provider links of an account, oldest first."""
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
        raise Refused(SignInProblem.HAS_PASSWORD)
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
        accounts.count_registration(caller.limits, caller.origin)
    except Forbidden:
        raise Refused(SignInProblem.CLOSED) from None
    except TooManyRequests:
        raise Refused(SignInProblem.TOO_MANY) from None


def _is_email(email: str) -> bool:
    try:
        return EMAIL.validate_python(email) == email
    except ValidationError:
        return False


def _name(person: Person) -> str:
    """Return the name that the provider reports. If it is not a valid name on this site, return the part of the email address
    before the @.
    """
    for name in (normalized(person.name)[:80], person.email.partition("@")[0][:80]):
        try:
            return NAME.validate_python(name)
        except ValidationError:
            continue
    return "Candidate"
