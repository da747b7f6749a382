"""Rules for administering accounts: search, statistics, roles, bans, and ending sessions."""

from sqlalchemy import Select, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts import candidates
from api.identity.accounts.guests import is_guest
from api.identity.accounts.models import Account, AccountSession, ApiToken
from api.identity.audit import service as audit
from api.identity.audit.service import Action, Actor
from api.identity.sessions import credentials
from api.judging.queue import service as steps
from api.judging.submissions.models import UNFINISHED, Judging, Submission
from api.kit.errors import ApiError, Forbidden
from api.ops.admin.schemas import AccountFacts, AccountRow, VerdictNumber
from api.practice.feedback.models import Report
from api.practice.leaderboards import scoring as standings


class AccountNotFound(ApiError):
    """There is no such account."""

    status, code = 404, "account_not_found"


class OwnAccount(ApiError):
    """Admins cannot do this to their own account, because they could remove their own rights by mistake."""

    status, code = 409, "own_account"


class CannotChange(ApiError):
    """This change is not possible for this kind of account, or in its current state."""

    status, code = 409, "cannot_change"


def listing(q: str, role: str, *, banned: bool, before: str) -> Select[Account]:
    """Build the query for accounts, newest first. `q` is a part of an email address or a name. Guests are included only if
    `role` is `guest`.
    """
    query = select(Account).order_by(Account.id.desc())
    query = query.where(Account.role == role) if role else query.where(Account.role.not_in(candidates.PASSING))
    if q:
        name, text = func.lower(Account.name), q.lower()
        query = query.where(or_(Account.email.contains(text, autoescape=True), name.contains(text, autoescape=True)))
    if banned:
        query = query.where(Account.ban.is_not(None))
    return query.where(Account.id < before) if before else query


async def find(session: AsyncSession, account_id: str) -> Account:
    """Return the account with this id. Raises `AccountNotFound`, also if the account is a candidate's."""
    account: Account | None = await session.get(Account, account_id)
    # Only the team that invited a candidate may see the candidate's data, so admins of the site cannot.
    if account is None or candidates.is_candidate(account):
        raise AccountNotFound("There is no account with this id.")
    return account


async def facts(session: AsyncSession, account: Account) -> AccountFacts:
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
    """Give an account the admin role, or remove it. Nobody can change their own role, so at least one admin always remains."""
    # The rows of all admins are locked. If two admins take the role from each other at the same moment, only one succeeds.
    admins = set(await session.scalars(select(Account.id).where(Account.role == "admin").with_for_update()))
    if actor.id not in admins:
        raise Forbidden("Only an admin of this site may do this.")
    account = await _other(session, actor, account_id)
    if is_guest(account):
        raise CannotChange("A guest has no role that could be changed. The person must create an account first.")
    if account.ban is not None:
        raise CannotChange("This account is banned. Unban it first.")
    audit.record(session, actor, Action.ROLE, account.id, before=account.role, after=role)
    account.role = role
    return account


async def ban(session: AsyncSession, actor: Actor, account_id: str, reason: str) -> tuple[Account, list[Judging]]:
    """Ban an account: end its sessions, refuse its API tokens, and cancel its unfinished submissions. Returns the account and
    the rows of the judgings that were cancelled.
    """
    account = await _other(session, actor, account_id)
    if account.role == "admin":
        raise CannotChange("An admin cannot be banned. Remove the admin role first.")
    account.ban = reason
    await standings.update_visibility(session, account.id)
    await credentials.revoke_all(session, AccountSession, account.id)
    unfinished = select(Judging).where(Judging.account_id == account.id, Judging.status.in_(UNFINISHED))
    cancelled = [row for row in await session.scalars(unfinished) if await steps.cancel(session, row)]
    for row in cancelled:
        await session.refresh(row)
    audit.record(session, actor, Action.BAN, account.id, reason=reason, cancelled=len(cancelled))
    return account, cancelled


async def unban(session: AsyncSession, actor: Actor, account_id: str) -> Account:
    """Remove the ban of an account. Its API tokens work again, but its sessions have ended, so the owner must sign in again."""
    account = await find(session, account_id)
    if account.ban is None:
        raise CannotChange("This account is not banned.")
    audit.record(session, actor, Action.UNBAN, account.id, reason=account.ban)
    account.ban = None
    await standings.update_visibility(session, account.id)
    return account


async def sign_out(session: AsyncSession, actor: Actor, account_id: str) -> Account:
    """End all sessions of an account. Its API tokens remain valid."""
    account = await _other(session, actor, account_id)
    await credentials.revoke_all(session, AccountSession, account.id)
    audit.record(session, actor, Action.SIGN_OUT, account.id)
    return account


async def _other(session: AsyncSession, actor: Actor, account_id: str) -> Account:
    if account_id == actor.id:
        raise OwnAccount("This is your own account. Ask another admin, or use your account page.")
    return await find(session, account_id)
