"""Rules of running accounts: finding them, what is known of them, roles, bans, signing them out."""

from sqlalchemy import Select, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts import candidates, credentials
from api.accounts.guests import is_guest
from api.accounts.models import Account, AccountSession, ApiToken
from api.audit import service as audit
from api.audit.service import Action, Actor
from api.desk.schemas import AccountFacts, AccountRow, VerdictNumber
from api.errors import ApiError, Forbidden
from api.judging import service as steps
from api.judging.models import UNFINISHED, Judging
from api.reports.models import Report
from api.standings import settling as standings
from api.submissions.models import Submission


class AccountNotFound(ApiError):
    """There is no such account."""

    status, code = 404, "account_not_found"


class OwnAccount(ApiError):
    """Nobody takes away their own rights by a slip."""

    status, code = 409, "own_account"


class CannotChange(ApiError):
    """This cannot be done to such an account."""

    status, code = 409, "cannot_change"


def listing(q: str, role: str, *, banned: bool, before: str) -> Select[Account]:
    """Accounts, newest first; `q` is part of an e-mail or a name. Guests only if they are asked for."""
    query = select(Account).order_by(Account.id.desc())
    query = query.where(Account.role == role) if role else query.where(Account.role.not_in(candidates.PASSING))
    if q:
        name, text = func.lower(Account.name), q.lower()
        query = query.where(or_(Account.email.contains(text, autoescape=True), name.contains(text, autoescape=True)))
    if banned:
        query = query.where(Account.ban.is_not(None))
    return query.where(Account.id < before) if before else query


async def find(session: AsyncSession, account_id: str) -> Account:
    """An account. Raises `AccountNotFound`."""
    account: Account | None = await session.get(Account, account_id)
    # A candidate is the affair of the team that invited, not of who runs the site.
    if account is None or candidates.is_candidate(account):
        raise AccountNotFound("There is no account with this id.")
    return account


async def facts(session: AsyncSession, account: Account) -> AccountFacts:
    """What is known of an account."""
    counts = [
        select(func.count()).select_from(table).where(table.account_id == account.id).scalar_subquery()
        for table in (AccountSession, ApiToken, Submission, Report)
    ]
    seen = [
        select(func.max(table.last_used_at)).where(table.account_id == account.id).scalar_subquery()
        for table in (AccountSession, ApiToken)
    ]
    mine = select(func.count()).select_from(Judging).where(Judging.account_id == account.id)
    unfinished = mine.where(Judging.status.in_(UNFINISHED)).scalar_subquery()
    row = (await session.execute(select(*counts, unfinished, *seen))).one()
    verdicts = select(Judging.verdict, func.count()).where(
        Judging.account_id == account.id, ~Judging.superseded, Judging.verdict.is_not(None)
    )
    found = {str(name): count for name, count in await session.execute(verdicts.group_by(Judging.verdict))}
    return AccountFacts(
        **row_of(account).model_dump(),
        sessions=row[0],
        tokens=row[1],
        submissions=row[2],
        reports=row[3],
        unfinished=row[4],
        last_seen_at=max((moment for moment in row[5:] if moment), default=None),
        verdicts=[VerdictNumber.model_validate({"verdict": name, "count": found[name]}) for name in sorted(found)],
    )


def row_of(account: Account) -> AccountRow:
    """An account in a list."""
    return AccountRow.model_validate(
        {
            "id": account.id,
            "email": "" if is_guest(account) else account.email,
            "name": account.name,
            "role": account.role,
            "ban": account.ban,
            "created_at": account.created_at,
        }
    )


async def set_role(session: AsyncSession, actor: Actor, account_id: str, role: str) -> Account:
    """Make an account an admin, or a plain one. Nobody changes their own role, so there is always an admin left."""
    # Locked, so that of two admins who demote each other at the same moment only one succeeds.
    admins = set(await session.scalars(select(Account.id).where(Account.role == "admin").with_for_update()))
    if actor.id not in admins:
        raise Forbidden("Only an admin of this site may do this.")
    account = await _other(session, actor, account_id)
    if is_guest(account):
        raise CannotChange("A guest has no role to change: an account must be made first.")
    if account.ban is not None:
        raise CannotChange("This account is closed. Open it again first.")
    audit.record(session, actor, Action.ROLE, account.id, before=account.role, after=role)
    account.role = role
    return account


async def ban(session: AsyncSession, actor: Actor, account_id: str, reason: str) -> tuple[Account, list[Judging]]:
    """Close an account: its sessions end, its tokens are refused, its unfinished judgings are cancelled (returned)."""
    account = await _other(session, actor, account_id)
    if account.role == "admin":
        raise CannotChange("An admin cannot be banned. Make it a plain account first.")
    account.ban = reason
    await standings.show(session, account.id)
    await credentials.revoke_all(session, AccountSession, account.id)
    unfinished = select(Judging).where(Judging.account_id == account.id, Judging.status.in_(UNFINISHED))
    cancelled = [row for row in await session.scalars(unfinished) if await steps.cancel(session, row)]
    for row in cancelled:
        await session.refresh(row)
    audit.record(session, actor, Action.BAN, account.id, reason=reason, cancelled=len(cancelled))
    return account, cancelled


async def unban(session: AsyncSession, actor: Actor, account_id: str) -> Account:
    """Open an account again: its tokens work as before, its owner signs in anew."""
    account = await find(session, account_id)
    if account.ban is None:
        raise CannotChange("This account is not closed.")
    audit.record(session, actor, Action.UNBAN, account.id, reason=account.ban)
    account.ban = None
    await standings.show(session, account.id)
    return account


async def sign_out(session: AsyncSession, actor: Actor, account_id: str) -> Account:
    """End every session of an account."""
    account = await _other(session, actor, account_id)
    await credentials.revoke_all(session, AccountSession, account.id)
    audit.record(session, actor, Action.SIGN_OUT, account.id)
    return account


async def _other(session: AsyncSession, actor: Actor, account_id: str) -> Account:
    if account_id == actor.id:
        raise OwnAccount("This is your own account. Another admin must do it, or you on your account page.")
    return await find(session, account_id)
