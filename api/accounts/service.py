"""Rules of accounts: registering, signing in, the first admin."""

import contextlib
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import bindparam, delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts import credentials, guests
from api.accounts.models import Account, AccountSession, ApiToken
from api.accounts.schemas import NewPassword, Registration
from api.accounts.secrets import hash_password, new_token, password_matches, token_hash
from api.accounts.throttle import Rate, Throttle, network
from api.db import Database, Moment, hold, now
from api.errors import ApiError, Forbidden, TooManyRequests
from api.ids import new_id
from api.letters import outbox
from api.settings import Settings

SESSION_PREFIX = "gs_"
TAKEN = "Another account has this e-mail already. Sign in to it, or choose another address."

# Built once: hundreds may come in within the same minute.
# Locked: whoever changes the password meanwhile waits, and then ends the session that is opened here too.
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
    """The same answer for an unknown e-mail and a wrong password."""

    status, code = 401, "wrong_credentials"


class EmailTaken(ApiError):
    """An account with this e-mail exists."""

    status, code = 409, "email_taken"


@contextlib.contextmanager
def one_account_an_address() -> Iterator[None]:
    """Of two who want an address at the same moment the database keeps one out. Raises `EmailTaken`."""
    try:
        yield
    except IntegrityError:
        raise EmailTaken(TAKEN) from None


class AlreadySetUp(ApiError):
    """There is an admin: the set-up token has done its work."""

    status, code = 409, "already_set_up"


@dataclass(frozen=True)
class Origin:
    """Where a sign-in comes from; `network` is what counts as one address."""

    address: str
    network: str
    agent: str


class Door:
    """What must be remembered between sign-ins: failures, registrations and the set-up token."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.failures = Throttle(settings.sign_in_failures, settings.sign_in_window_s)
        self.address_failures = Throttle(settings.sign_in_failures_per_address, settings.sign_in_window_s)
        self.account_failures = Throttle(settings.sign_in_failures_per_account, settings.sign_in_window_s)
        self.registrations = Throttle(settings.registrations_per_hour, 3600)
        self.guests = Throttle(settings.guests_per_hour, 3600)
        self.reports_of_guests = Throttle(settings.reports_of_guests_per_hour, 3600)
        self.requests = Rate(settings.requests_per_minute)
        self.letters_to = Throttle(settings.letters_per_address, 3600)
        self.letters_from = Throttle(settings.letters_per_network, 3600)
        # Who has the letter, but not the password, must not guess it.
        self.link_guesses = Throttle(10, 3600)
        self.exports = Throttle(settings.exports_per_hour, 3600)
        self.setup_hash: str | None = None

    def count_letter(self, origin: Origin, email: str) -> None:
        """Somebody makes us write to an address, known or not. Raises `TooManyRequests`."""
        counted = [(self.letters_to, email), (self.letters_from, origin.network)]
        if wait := max(throttle.wait_s(key) for throttle, key in counted):
            raise TooManyRequests("Too many letters were asked for. Look into your mailbox.", retry_after_s=wait)
        for throttle, key in counted:
            throttle.count(key)

    def new_setup_token(self) -> str:
        """A set-up token; any earlier one is void."""
        token = new_token("setup_")
        self.setup_hash = token_hash(token)
        return token


async def admin_exists(session: AsyncSession) -> bool:
    """Whether anybody is admin."""
    return await session.scalar(select(Account.id).where(Account.role == "admin").limit(1)) is not None


async def begin_as_guest(db: Database, door: Door, origin: Origin) -> Account:
    """Make an account for somebody who does not want one yet. Raises `TooManyRequests`."""
    if wait := door.guests.wait_s(origin.network):
        raise TooManyRequests("Too many guests from your address. Make an account to go on.", retry_after_s=wait)
    door.guests.count(origin.network)
    async with db.write() as session:
        return guests.make(session)


async def keep_guests_work(db: Database, guest: Account | None, account: Account) -> None:
    """What the browser's guest did belongs to the account that it signed up for, or in to."""
    if guest is not None and guests.is_guest(guest) and guest.id != account.id:
        async with db.write() as session:
            await guests.hand_over(session, guest.id, account.id)


async def register(db: Database, door: Door, wanted: Registration, origin: Origin) -> Account:
    """Make an account. Raises `Forbidden`, `TooManyRequests`, `EmailTaken`."""
    count_registration(door, origin)
    hashed = await hash_password(wanted.password)
    with one_account_an_address():
        async with db.write() as session:
            if await by_email(session, wanted.email):
                raise EmailTaken("An account with this e-mail exists already. Sign in instead.")
            account = add(session, wanted.email, wanted.name, hashed, role="account")
            await outbox.put(session, "verify", account.email, account.id)
            return account


async def ask_to_register(db: Database, door: Door, wanted: Registration, origin: Origin) -> None:
    """Write to the address: a link that makes the account or, if there is one, that there is. The work is the same for
    both, so the answer's time tells nothing either. Raises `Forbidden`, `TooManyRequests`.
    """
    count_registration(door, origin)
    door.count_letter(origin, wanted.email)
    hashed = await hash_password(wanted.password)
    async with db.write() as session:
        await outbox.put(session, "register", wanted.email, name=wanted.name, hash=hashed)


def count_registration(door: Door, origin: Origin) -> None:
    """Somebody wants a new account. Raises `Forbidden`, `TooManyRequests`."""
    if door.settings.registration == "closed":
        raise Forbidden("Registration is closed here. Ask an admin of this site for an account.")
    if wait := door.registrations.wait_s(origin.network):
        raise TooManyRequests("Too many new accounts from your address.", retry_after_s=wait)
    door.registrations.count(origin.network)


async def set_up(db: Database, door: Door, wanted: Registration, token: str) -> Account:
    """Make the first admin, or promote the account that has this e-mail and password. Works once."""
    async with db.read() as session:
        if await admin_exists(session):
            raise AlreadySetUp("This site has an admin already. The set-up token is no longer valid.")
        known = await by_email(session, wanted.email)
    if door.setup_hash is None or not secrets.compare_digest(token_hash(token), door.setup_hash):
        raise Forbidden("This is not the set-up token. The service printed it on its console when it started.")
    if known and not await password_matches(wanted.password, known.password_hash):
        raise WrongCredentials("An account with this e-mail exists: give its password to make it the admin.")
    hashed = known.password_hash if known else await hash_password(wanted.password)
    async with db.write() as session:
        await hold(session, "set-up")
        if await admin_exists(session):
            raise AlreadySetUp("This site has an admin already. The set-up token is no longer valid.")
        account = await by_email(session, wanted.email)
        account = account or add(session, wanted.email, wanted.name, hashed, role="admin")
        account.role = "admin"
    door.setup_hash = None
    return account


async def sign_in(db: Database, door: Door, email: str, password: str, origin: Origin) -> Account:
    """The account with these credentials. Raises `WrongCredentials`, `TooManyRequests`, `Banned`."""
    async with db.read() as session:
        account = await by_email(session, email)
        # Asked for unknown e-mails too: the same work for both.
        known = await _was_here(session, account.id if account else "", origin)
    await check_password(door, email, password, account, origin, known=known)
    assert account is not None, "an unknown account is no right guess"
    credentials.refuse_banned(account.ban)
    return account


async def change_password(db: Database, door: Door, account: Account, wanted: NewPassword, origin: Origin) -> Account:
    """Replace the password and end every session. Raises `WrongCredentials`, `TooManyRequests`."""
    await check_password(door, account.email, wanted.current, account, origin, known=True)
    hashed = await hash_password(wanted.password)
    async with db.write() as session:
        await session.execute(update(Account).where(Account.id == account.id).values(password_hash=hashed))
        await credentials.revoke_all(session, AccountSession, account.id)
        if wanted.revoke_tokens:
            await credentials.revoke_all(session, ApiToken, account.id)
        await outbox.put(session, "password", account.email, account.id)
    account.password_hash = hashed
    return account


async def check_password(
    door: Door, email: str, password: str, account: Account | None, origin: Origin, *, known: bool
) -> None:
    """Check a password, unless too many were wrong: from this address for this e-mail, from this address, or for this
    e-mail from anywhere. The last does not hold for an address where the account is signed in, so that whoever guesses
    from a thousand places does not lock the owner out.
    """
    here = f"{origin.network}\0{email}"
    counted = [(door.failures, here), (door.address_failures, origin.network)]
    if not known:
        counted.append((door.account_failures, email))
    if wait := max(throttle.wait_s(key) for throttle, key in counted):
        raise TooManyRequests("Too many failed sign-ins. Wait a little, then try again.", retry_after_s=wait)
    # Counted before the hash is computed, so that parallel guesses cannot slip through while it runs.
    for throttle, key in counted:
        throttle.count(key)
    if not await password_matches(password, account.password_hash if account else None):
        raise WrongCredentials("E-mail or password is wrong.")
    for throttle, key in counted:
        throttle.uncount(key)
    door.failures.forget(here)


async def _was_here(session: AsyncSession, account_id: str, origin: Origin) -> bool:
    addresses = await session.scalars(select(AccountSession.address).where(AccountSession.account_id == account_id))
    return origin.network in {network(address) for address in addresses}


async def open_session(
    session: AsyncSession, account: Account, origin: Origin, settings: Settings, replaces: str | None
) -> str:
    """A fresh session of the account; returns the cookie's value. The session that the browser had until now ends,
    as do sessions that have expired and, beyond the limit, the account's oldest. Raises `WrongCredentials` if the
    password was changed since it was checked, `Banned` if the account was closed.
    """
    token, moment = new_token(SESSION_PREFIX), now()
    password_hash, ban = (await session.execute(STANDING, {"account": account.id})).one_or_none() or (None, None)
    if password_hash != account.password_hash:
        raise WrongCredentials("E-mail or password is wrong.")
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
    """The account that has an address."""
    account: Account | None = await session.scalar(select(Account).where(Account.email == email))
    return account


def add(session: AsyncSession, email: str, name: str, hashed: str, *, role: str) -> Account:
    """A new account, whose address is not verified."""
    account = Account(
        id=new_id(),
        email=email,
        email_verified_at=None,
        name=name,
        password_hash=hashed,
        role=role,
        created_at=now(),
    )
    session.add(account)
    return account
