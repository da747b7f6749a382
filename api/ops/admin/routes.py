"""Routes for admins: statistics, accounts, and the submissions of all accounts. Every change is recorded in the audit log."""

from typing import Annotated

from fastapi import APIRouter, Query
from sqlalchemy import Select, select

from api.identity.accounts import candidates
from api.identity.audit.service import Acting
from api.identity.sessions.current_account import Admin, SessionRequired
from api.judging.dispatch.dispatcher import DispatcherDep
from api.judging.intake import views
from api.judging.intake.schemas import VerdictName
from api.judging.submissions.models import Judging, Submission
from api.kit.errors import BadCursor, CrossSite, Forbidden, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.kit.ids import Id
from api.kit.text import CleanText
from api.ops.admin import figures, service
from api.ops.admin.schemas import (
    AccountFacts,
    AccountRow,
    AccountRowPage,
    NewBan,
    NewRole,
    Overview,
    Role,
    SentSubmission,
    SentSubmissionPage,
)

router = APIRouter(tags=["desk"], route_class=JsonRoute)
READ = (NotSignedIn, Forbidden)
WRITE = (CrossSite, *READ, service.AccountNotFound, service.OwnAccount, service.CannotChange)
Cursor = Annotated[str, Query(max_length=200), CleanText]
Limit = Annotated[int, Query(ge=1, le=100)]
Exactly = Annotated[str, Query(max_length=100), CleanText]


@router.get("/admin/overview", response_model=Overview, responses=errors(*READ))
async def get_overview(_: Admin, db: DatabaseDep) -> Overview:
    """Statistics about the site."""
    async with db.read() as session:
        return await figures.overview(session)


@router.get("/admin/accounts", response_model=AccountRowPage, responses=errors(*READ, BadCursor))
async def list_accounts(
    _: Admin,
    db: DatabaseDep,
    q: Annotated[str, Query(max_length=254), CleanText] = "",
    role: Role | None = None,
    banned: bool = False,
    cursor: Cursor = "",
    limit: Limit = 50,
) -> AccountRowPage:
    """Accounts, newest first. `q` is a part of an email address or a name. Guests are listed only if `role` is `guest`."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    query = service.listing(q.strip(), role or "", banned=banned, before=before)
    async with db.read() as session:
        rows = (await session.scalars(query.limit(limit + 1))).all()
    items = [service.row_of(row) for row in rows[:limit]]
    return AccountRowPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.get(
    "/admin/accounts/{account_id}", response_model=AccountFacts, responses=errors(*READ, service.AccountNotFound)
)
async def get_account(account_id: Id, _: Admin, db: DatabaseDep) -> AccountFacts:
    """An account and statistics about it, without anything that its owner wrote."""
    async with db.read() as session:
        return await service.facts(session, await service.find(session, account_id))


@router.put("/admin/accounts/{account_id}/role", response_model=AccountRow, responses=errors(*WRITE, SessionRequired))
async def set_account_role(account_id: Id, body: NewRole, actor: Acting, db: DatabaseDep) -> AccountRow:
    """Give an account the admin role, or remove it. Admins cannot change their own role. Requires a browser session."""
    if actor.identity.via != "session":
        raise SessionRequired("This is not possible with an API token. Sign in with email and password.")
    async with db.write() as session:
        return service.row_of(await service.set_role(session, actor, account_id, body.role))


@router.put("/admin/accounts/{account_id}/ban", response_model=AccountRow, responses=errors(*WRITE))
async def ban_account(
    account_id: Id, body: NewBan, actor: Acting, db: DatabaseDep, dispatcher: DispatcherDep
) -> AccountRow:
    """Ban an account: its sessions end, its API tokens are refused, and its unfinished submissions are cancelled."""
    async with db.write() as session:
        account, cancelled = await service.ban(session, actor, account_id, body.reason)
    for row in cancelled:
        dispatcher.attempts.cancel(row)
    return service.row_of(account)


@router.delete("/admin/accounts/{account_id}/ban", response_model=AccountRow, responses=errors(*WRITE))
async def unban_account(account_id: Id, actor: Acting, db: DatabaseDep) -> AccountRow:
    """Remove the ban of an account."""
    async with db.write() as session:
        return service.row_of(await service.unban(session, actor, account_id))


@router.delete("/admin/accounts/{account_id}/sessions", response_model=AccountRow, responses=errors(*WRITE))
async def sign_account_out(account_id: Id, actor: Acting, db: DatabaseDep) -> AccountRow:
    """End all sessions of an account. Its API tokens remain valid."""
    async with db.write() as session:
        return service.row_of(await service.sign_out(session, actor, account_id))


@router.get("/admin/submissions", response_model=SentSubmissionPage, responses=errors(*READ, BadCursor))
async def list_all_submissions(
    _: Admin,
    db: DatabaseDep,
    account: Exactly = "",
    slug: Exactly = "",
    verdict: VerdictName | None = None,
    cursor: Cursor = "",
    limit: Limit = 50,
) -> SentSubmissionPage:
    """The submissions of all accounts, newest first, without their source. `verdict=JE` lists those that could not be
    judged because of a system error.
    """
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    query = _submissions(account, slug, verdict or "")
    if before:
        query = query.where(Submission.id < before)
    async with db.read() as session:
        rows = (await session.execute(query.limit(limit + 1))).all()
    items = [_sent(submission, row) for submission, row in rows[:limit]]
    return SentSubmissionPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


def _submissions(account: str, slug: str, verdict: str) -> Select[Submission, Judging]:
    query = select(Submission, Judging).join(Judging, (Judging.submission_id == Submission.id) & ~Judging.superseded)
    query = query.where(~candidates.owns(Submission.account_id)).order_by(Submission.id.desc())
    if account:
        query = query.where(Submission.account_id == account)
    if slug:
        query = query.where(Submission.slug == slug)
    return query.where(Judging.verdict == verdict) if verdict else query


def _sent(submission: Submission, row: Judging) -> SentSubmission:
    return SentSubmission(
        **views.card(submission, row).model_dump(),
        account_id=submission.account_id,
        judging=row.number,
        attempt=row.attempt,
        node=row.node,
        message=row.message,
    )
