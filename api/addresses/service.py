"""Following the links in letters: a new account, a verified address, another address, a new password."""

from sqlalchemy import delete, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts import credentials, links, service
from api.accounts.links import BadLink, Purpose
from api.accounts.models import Account, AccountSession, ApiToken, LetterLink, ProviderLink
from api.accounts.secrets import hash_password, password_matches
from api.accounts.service import Door, EmailTaken, Origin, WrongCredentials
from api.db import Database, now
from api.errors import TooManyRequests
from api.letters import outbox


async def confirm_account(db: Database, door: Door, token: str, password: str) -> Account:
    """Make the account that waits for a link. Its password is asked for: the link alone, followed by whoever has the
    mailbox, must not open an account that somebody else has chosen the password of. Raises `BadLink`, `EmailTaken`,
    `WrongCredentials`, `TooManyRequests`.
    """
    async with db.read() as session:
        link = await links.read(session, token, Purpose.REGISTER)
    waiting = links.waiting_data(link)
    if wait := door.link_guesses.wait_s(link.id):
        raise TooManyRequests("Too many wrong passwords for this link. Register anew.", retry_after_s=wait)
    door.link_guesses.count(link.id)
    if not await password_matches(password, waiting["hash"]):
        raise WrongCredentials("This is not the password that was chosen for this account.")
    with service.one_account_an_address():
        return await _make_account(db, link, waiting)


async def _make_account(db: Database, link: LetterLink, waiting: dict[str, str]) -> Account:
    async with db.write() as session:
        await links.use_up(session, link)
        await session.execute(delete(LetterLink).where(LetterLink.email == link.email))
        if await service.by_email(session, link.email):
            raise EmailTaken(service.TAKEN)
        account = service.add(session, link.email, waiting["name"], waiting["hash"], role="account")
        account.email_verified_at = now()
        return account


async def confirm_address(db: Database, token: str) -> str:
    """Verify an account's address, or give it the address that was to be proven; returns it. Raises `BadLink`,
    `EmailTaken`.
    """
    with service.one_account_an_address():
        async with db.write() as session:
            return await _confirm(session, await links.read(session, token, Purpose.VERIFY, Purpose.CHANGE))


async def _confirm(session: AsyncSession, link: LetterLink) -> str:
    await links.use_up(session, link)
    account = await session.get(Account, link.account_id)
    if account is None or (link.purpose == Purpose.VERIFY and account.email != link.email):
        raise BadLink
    if account.email != link.email:
        await _move(session, account, link.email)
    account.email_verified_at = now()
    return link.email


async def ask_to_verify(db: Database, door: Door, account: Account, origin: Origin) -> None:
    """Another letter with a link that verifies the account's address. Raises `TooManyRequests`."""
    door.count_letter(origin, account.email)
    async with db.write() as session:
        await outbox.put(session, "verify", account.email, account.id)


async def ask_to_move(db: Database, door: Door, account: Account, email: str, origin: Origin) -> None:
    """Write to a new address; the account has it once the link there is followed. Raises `TooManyRequests`."""
    door.count_letter(origin, email)
    async with db.write() as session:
        await outbox.put(session, "change", email, account.id)


async def ask_to_reset(db: Database, door: Door, email: str, origin: Origin) -> None:
    """Write to an address, if it has an account: the postman looks. Raises `TooManyRequests`."""
    door.count_letter(origin, email)
    async with db.write() as session:
        await outbox.put(session, "reset", email)


async def reset_password(db: Database, token: str, password: str) -> None:
    """Replace the password by a link; every session and API token ends. Raises `BadLink`."""
    async with db.read() as session:
        await links.read(session, token, Purpose.RESET)
    hashed = await hash_password(password)
    async with db.write() as session:
        link = await links.read(session, token, Purpose.RESET)
        await links.use_up(session, link)
        account = await session.get(Account, link.account_id)
        if account is None or account.email != link.email:
            raise BadLink
        if not account.email_verified:
            # Somebody else may have made the account before the address proved to be this person's.
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
    # Links that were sent to the old address prove nothing any more.
    await session.execute(delete(LetterLink).where(LetterLink.account_id == account.id))
    account.email = email
