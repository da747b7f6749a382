"""Rules for the links in mail about accounts: creating an account, verifying or changing its address, and resetting its
password.
"""

from sqlalchemy import delete, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts import one_time_links
from api.identity.accounts.hashing import hash_password, password_matches
from api.identity.accounts.models import Account, AccountSession, ApiToken, OneTimeLink, ProviderLink
from api.identity.accounts.one_time_links import BadLink, Purpose
from api.identity.mail import outbox
from api.identity.sessions import credentials
from api.identity.sessions.origin import Origin
from api.identity.sign_in import service
from api.identity.sign_in.service import EmailTaken, SignInLimits, WrongCredentials
from api.kit.db.database import Database, now
from api.kit.errors import TooManyRequests


async def confirm_account(db: Database, limits: SignInLimits, token: str, password: str) -> Account:
    """Create the account that a link confirms. The password that was chosen at registration is required too. Otherwise a
    stranger could register with another person's address. If this person then followed the link, it would create an account
    whose password the stranger knows. Raises `BadLink`, `EmailTaken`, `WrongCredentials`, `TooManyRequests`.
    """
    async with db.read() as session:
        link = await one_time_links.read(session, token, Purpose.REGISTER)
    waiting = one_time_links.waiting_data(link)
    if wait := limits.link_guesses.wait_s(link.id):
        raise TooManyRequests("Too many wrong passwords for this link. Register again.", retry_after_s=wait)
    limits.link_guesses.count(link.id)
    if not await password_matches(password, waiting["hash"]):
        raise WrongCredentials("This is not the password that was chosen for this account.")
    with service.unique_address():
        return await _make_account(db, link, waiting)


async def _make_account(db: Database, link: OneTimeLink, waiting: dict[str, str]) -> Account:
    async with db.write() as session:
        await one_time_links.use_up(session, link)
        await session.execute(delete(OneTimeLink).where(OneTimeLink.email == link.email))
        if await service.by_email(session, link.email):
            raise EmailTaken(service.TAKEN)
        account = service.add(session, link.email, waiting["name"], waiting["hash"], role="account")
        account.email_verified_at = now()
        return account


async def confirm_address(db: Database, token: str) -> str:
    """Do what the link is for: verify the account's address, or change it to the address to which the link was sent. Returns
    that address. Raises `BadLink`, `EmailTaken`.
    """
    with service.unique_address():
        async with db.write() as session:
            return await _confirm(session, await one_time_links.read(session, token, Purpose.VERIFY, Purpose.CHANGE))


async def _confirm(session: AsyncSession, link: OneTimeLink) -> str:
    await one_time_links.use_up(session, link)
    account = await session.get(Account, link.account_id)
    if account is None or (link.purpose == Purpose.VERIFY and account.email != link.email):
        raise BadLink
    if account.email != link.email:
        await _move(session, account, link.email)
    account.email_verified_at = now()
    return link.email


async def ask_to_verify(db: Database, limits: SignInLimits, account: Account, origin: Origin) -> None:
    """Queue a further mail with a link that verifies the account's address. Raises `TooManyRequests`."""
    limits.count_mail(origin, account.email)
    async with db.write() as session:
        await outbox.put(session, "verify", account.email, account.id)


async def ask_to_move(db: Database, limits: SignInLimits, account: Account, email: str, origin: Origin) -> None:
    """Queue a mail, with a link, that is sent to the new address of an account. The account's address changes when the link is
    used. Raises `TooManyRequests`.
    """
    limits.count_mail(origin, email)
    async with db.write() as session:
        await outbox.put(session, "change", email, account.id)


async def ask_to_reset(db: Database, limits: SignInLimits, email: str, origin: Origin) -> None:
    """Queue a mail with a link for choosing a new password. Whether an account has this address is looked up only when the mail
    is sent. Raises `TooManyRequests`.
    """
    limits.count_mail(origin, email)
    async with db.write() as session:
        await outbox.put(session, "reset", email)


async def reset_password(db: Database, token: str, password: str) -> None:
    """Replace the password, and revoke all sessions and API tokens. Raises `BadLink`."""
    async with db.read() as session:
        await one_time_links.read(session, token, Purpose.RESET)
    hashed = await hash_password(password)
    async with db.write() as session:
        link = await one_time_links.read(session, token, Purpose.RESET)
        await one_time_links.use_up(session, link)
        account = await session.get(Account, link.account_id)
        if account is None or account.email != link.email:
            raise BadLink
        if not account.email_verified:
            # The address was never verified before. A stranger may have registered with it, and linked an identity provider in
            # order to sign in without the password. All links to identity providers are therefore removed.
            await session.execute(delete(ProviderLink).where(ProviderLink.account_id == account.id))
        values = {"password_hash": hashed, "email_verified_at": account.email_verified_at or now()}
        await session.execute(update(Account).where(Account.id == account.id).values(values))
        await credentials.revoke_all(session, AccountSession, account.id)
        await credentials.revoke_all(session, ApiToken, account.id)
        await outbox.put(session, "password", account.email, account.id)


async def _move(session: AsyncSession, account: Account, email: str) -> None:
    if await service.by_email(session, email):
        raise EmailTaken(service.TAKEN)
    await outbox.put(session, "moved", account.email, account.id)
    # Delete the links that were sent to the old address.
    await session.execute(delete(OneTimeLink).where(OneTimeLink.account_id == account.id))
    account.email = email
