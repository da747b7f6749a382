"""Rules for registration, sign-in, passwords, and the first admin."""

import contextlib
import secrets
from collections.abc import Iterator
from datetime import timedelta
from typing import Annotated

from fastapi import Depends
from sqlalchemy import bindparam, delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts import guests
from api.identity.accounts.hashing import hash_password, new_token, password_matches, token_hash
from api.identity.accounts.models import Account, AccountSession
from api.identity.mail import outbox
from api.identity.sessions import credentials, known_devices
from api.identity.sessions.origin import Origin
from api.identity.sign_in.schemas import Registration
from api.kit.db.database import Database, Moment, hold, now
from api.kit.errors import ApiError, Forbidden, TooManyRequests
from api.kit.http.provided import provided
from api.kit.http.throttle import Throttle, network
from api.kit.ids import new_id
from api.settings import Settings

SESSION_PREFIX = "gs_"
TAKEN = "Another account already uses this email address. Sign in to it, or choose another address."

# These statements are built once, because hundreds of users may sign in within a minute. STANDING locks the row of the account.
# A change of the password at the same moment therefore waits until the new session is stored, and then ends it too.
STANDING = (
    select(Account.password_hash, Account.ban).where(Account.id == bindparam("account")).with_for_update(read=True)
)
SESSIONS = (
    select(AccountSession.id)
    .where(AccountSession.account_id == bindparam("account"))
    .order_by(AccountSession.id.desc())
)
ENDED = (
    delete(AccountSession)
    .where(
        (AccountSession.expires_at < bindparam("now", type_=Moment))
        | (AccountSession.last_used_at < bindparam("idle", type_=Moment))
        | (AccountSession.token_hash == bindparam("replaced"))
        | AccountSession.id.in_(bindparam("oldest", expanding=True))
    )
    .execution_options(synchronize_session=False)
)


class WrongCredentials(ApiError):
    """The email or the password is wrong. The error is the same for both, so that it does not reveal which accounts exist."""

    status, code = 401, "wrong_credentials"


class EmailTaken(ApiError):
    """Another account already has this email address."""

    status, code = 409, "email_taken"


@contextlib.contextmanager
def unique_address() -> Iterator[None]:
    """Raise `EmailTaken` instead of the database's uniqueness error, which concurrent requests with one address can cause."""
    try:
        yield
    except IntegrityError:
        raise EmailTaken(TAKEN) from None


class AlreadySetUp(ApiError):
    """The site already has an admin, so the setup token is no longer valid."""

    status, code = 409, "already_set_up"


class SignInLimits:
    """The rate limits for sign-ins, registrations, guests, mail, reports and exports, and the hash of the setup token."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.failures = Throttle(settings.sign_in_failures, settings.sign_in_window_s)
        self.address_failures = Throttle(settings.sign_in_failures_per_address, settings.sign_in_window_s)
        self.account_failures = Throttle(settings.sign_in_failures_per_account, settings.sign_in_window_s)
        self.device_failures = Throttle(settings.sign_in_failures, settings.sign_in_window_s)
        self.registrations = Throttle(settings.registrations_per_hour, 3600)
        self.guests = Throttle(settings.guests_per_hour, 3600)
        self.reports_of_guests = Throttle(settings.reports_of_guests_per_hour, 3600)
        self.mails_to = Throttle(settings.mails_per_address, 3600)
        self.mails_from = Throttle(settings.mails_per_network, 3600)
        # Limits password guesses for a registration link: the person who received it may not be the one who registered.
        self.link_guesses = Throttle(10, 3600)
        self.exports = Throttle(settings.exports_per_hour, 3600)
        self.setup_hash: str | None = None

    def count_mail(self, origin: Origin, email: str) -> None:
        """Count a mail against the limits of its recipient and of the network that requests it. Raises `TooManyRequests`."""
        counted = [(self.mails_to, email), (self.mails_from, origin.network)]
        if wait := max(throttle.wait_s(key) for throttle, key in counted):
            raise TooManyRequests(
                "Too many emails were requested. Check your inbox, or try again later.", retry_after_s=wait
            )
        for throttle, key in counted:
            throttle.count(key)

    def new_setup_token(self) -> str:
        """Create a new setup token. Earlier ones become invalid."""
        token = new_token("setup_")
        self.setup_hash = token_hash(token)
        return token


async def admin_exists(session: AsyncSession) -> bool:
    return await session.scalar(select(Account.id).where(Account.role == "admin").limit(1)) is not None


async def begin_as_guest(db: Database, limits: SignInLimits, origin: Origin) -> Account:
    """Create a guest account. Raises `TooManyRequests`."""
    if wait := limits.guests.wait_s(origin.network):
        raise TooManyRequests(
            "Too many guests came from your network. Create an account to continue.", retry_after_s=wait
        )
    limits.guests.count(origin.network)
    async with db.write() as session:
        return guests.make(session)


async def keep_guests_work(db: Database, guest: Account | None, account: Account) -> None:
    """If `guest` is a guest account, move its work to the account to which the guest's browser has just signed in."""
    if guest is not None and guests.is_guest(guest) and guest.id != account.id:
        async with db.write() as session:
            await guests.merge_into_account(session, guest.id, account.id)


async def register(db: Database, limits: SignInLimits, wanted: Registration, origin: Origin) -> Account:
    """Create an account. Raises `Forbidden`, `TooManyRequests`, `EmailTaken`."""
    count_registration(limits, origin)
    hashed = await hash_password(wanted.password)
    with unique_address():
        async with db.write() as session:
            if await by_email(session, wanted.email):
                raise EmailTaken("An account with this email address already exists. Sign in instead.")
            account = add(session, wanted.email, wanted.name, hashed, role="account")
            await outbox.put(session, "verify", account.email, account.id)
            return account


async def ask_to_register(db: Database, limits: SignInLimits, wanted: Registration, origin: Origin) -> None:
    """Queue a mail with a link that creates the account. If the address already has an account, the mail only says so. The
    request does the same work in both cases, so the response time does not reveal whether the address has an account. Raises
    `Forbidden`, `TooManyRequests`.
    """
    count_registration(limits, origin)
    limits.count_mail(origin, wanted.email)
    hashed = await hash_password(wanted.password)
    async with db.write() as session:
        await outbox.put(session, "register", wanted.email, name=wanted.name, hash=hashed)


def count_registration(limits: SignInLimits, origin: Origin) -> None:
    """Count a registration against its network's limit. Raises `TooManyRequests`, or `Forbidden` if registration is closed."""
    if limits.settings.registration == "closed":
        raise Forbidden("New accounts cannot be created on this site. Ask an admin for an account.")
    if wait := limits.registrations.wait_s(origin.network):
        raise TooManyRequests(
            "Too many accounts were created from your network. Try again in an hour.", retry_after_s=wait
        )
    limits.registrations.count(origin.network)


async def set_up(db: Database, limits: SignInLimits, wanted: Registration, token: str) -> Account:
    """Create the first admin or, if an account with this email and password exists, make it the first admin. Works only while
    the site has no admin. Raises `AlreadySetUp`, `Forbidden`, `WrongCredentials`.
    """
    async with db.read() as session:
        if await admin_exists(session):
            raise AlreadySetUp("This site already has an admin. The setup token is no longer valid.")
        known = await by_email(session, wanted.email)
    if limits.setup_hash is None or not secrets.compare_digest(token_hash(token), limits.setup_hash):
        raise Forbidden("This is not the setup token. The service printed it on its console when it started.")
    if known and not await password_matches(wanted.password, known.password_hash):
        raise WrongCredentials("An account with this email address exists. Give its password to make it the admin.")
    hashed = known.password_hash if known else await hash_password(wanted.password)
    async with db.write() as session:
        await hold(session, "set-up")
        if await admin_exists(session):
            raise AlreadySetUp("This site already has an admin. The setup token is no longer valid.")
        account = await by_email(session, wanted.email)
        account = account or add(session, wanted.email, wanted.name, hashed, role="admin")
        account.role = "admin"
    limits.setup_hash = None
    return account


async def sign_in(db: Database, limits: SignInLimits, email: str, password: str, origin: Origin) -> Account:
    """Return the account with these credentials. Raises `WrongCredentials`, `TooManyRequests`, `Banned`."""
    async with db.read() as session:
        account = await by_email(session, email)
        # This query also runs for an unknown email, so that both cases do the same work.
        known = await _signed_in_before(session, account.id if account else "", origin)
    await check_password(limits, email, password, account, origin, known=known)
    assert account is not None, "an unknown account is no right guess"
    credentials.refuse_banned(account.ban)
    return account


async def check_password(
    limits: SignInLimits, email: str, password: str, account: Account | None, origin: Origin, *, known: bool
) -> None:
    """Check a password, but not after too many failures. Failures have three limits: for this email from this network, for any
    email from this network, and for this email from anywhere. The third is left out if the account has a session from this
    network (`known`), so that an attacker with a thousand addresses cannot lock the owner out. A device on which the account
    signed in before has its own limit instead of the three. Raises `WrongCredentials`, `TooManyRequests`.
    """
    counted = [(limits.failures, f"{origin.network}\0{email}"), (limits.address_failures, origin.network)]
    if not known:
        counted.append((limits.account_failures, email))
    if known_devices.proves(origin.device, account):
        counted = [(limits.device_failures, origin.device)]
    if wait := max(throttle.wait_s(key) for throttle, key in counted):
        raise TooManyRequests("Too many failed sign-ins. Try again in a few minutes.", retry_after_s=wait)
    # Count before checking, so that simultaneous guesses cannot exceed the limit. A correct password takes the count back.
    for throttle, key in counted:
        throttle.count(key)
    if not await password_matches(password, account.password_hash if account else None):
        raise WrongCredentials("The email or the password is wrong.")
    for throttle, key in counted:
        throttle.uncount(key)
    counted[0][0].forget(counted[0][1])


async def _signed_in_before(session: AsyncSession, account_id: str, origin: Origin) -> bool:
    addresses = await session.scalars(select(AccountSession.address).where(AccountSession.account_id == account_id))
    return origin.network in {network(address) for address in addresses}


async def open_session(
    session: AsyncSession, account: Account, origin: Origin, settings: Settings, replaces: str | None
) -> str:
    """Create a session of the account, and return the value of its cookie. This also deletes the previous session of the
    browser (the one with the cookie `replaces`), all expired sessions, and the oldest sessions of the account if it has too
    many. Raises `Banned`. Raises `WrongCredentials` if the password was changed after it was checked.
    """
    token, moment = new_token(SESSION_PREFIX), now()
    password_hash, ban = (await session.execute(STANDING, {"account": account.id})).one_or_none() or (None, None)
    if password_hash != account.password_hash:
        raise WrongCredentials("The email or the password is wrong.")
    credentials.refuse_banned(ban)
    oldest = await session.scalars(SESSIONS.offset(settings.sessions_per_account - 1), {"account": account.id})
    idle = moment - timedelta(hours=settings.session_idle_hours)
    ended = {"now": moment, "idle": idle, "replaced": token_hash(replaces or ""), "oldest": list(oldest)}
    await session.execute(ENDED, ended)
    row = AccountSession(
        id=new_id(),
        account_id=account.id,
        token_hash=token_hash(token),
        agent=origin.agent[:200],
        address=origin.address[:64],
        created_at=moment,
        last_used_at=moment,
        expires_at=moment + timedelta(days=settings.session_days),
    )
    session.add(row)
    return token


async def by_email(session: AsyncSession, email: str) -> Account | None:
    account: Account | None = await session.scalar(select(Account).where(Account.email == email))
    return account


def add(session: AsyncSession, email: str, name: str, hashed: str, *, role: str) -> Account:
    """Add a new account with an unverified address to the database session."""
    account = Account(
        id=new_id(), email=email, email_verified_at=None, name=name, password_hash=hashed, role=role, created_at=now()
    )
    session.add(account)
    return account


SignInLimitsDep = Annotated[SignInLimits, Depends(provided(SignInLimits))]
