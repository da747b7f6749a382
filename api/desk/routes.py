"""The desk: the site in numbers, accounts, submissions of everybody. For admins only; what changes something is on record."""

from typing import Annotated

from fastapi import APIRouter, Query
from sqlalchemy import Select, select

from api.accounts import candidates
from api.accounts.identity import Admin, SessionRequired
from api.audit.service import Acting
from api.bodies import JsonRoute
from api.desk import figures, service
from api.desk.schemas import (
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
from api.errors import BadCursor, CrossSite, Forbidden, NotSignedIn, errors
from api.ids import Id
from api.judging.models import Judging
from api.pagination import decode_cursor, encode_cursor
from api.state import StateOf
from api.submissions import views
from api.submissions.models import Submission
from api.submissions.schemas import VerdictName
from api.text import CleanText

router = APIRouter(tags=["desk"], route_class=JsonRoute)
READ = (NotSignedIn, Forbidden)
WRITE = (CrossSite, *READ, service.AccountNotFound, service.OwnAccount, service.CannotChange)
Cursor = Annotated[str, Query(max_length=200), CleanText]
Limit = Annotated[int, Query(ge=1, le=100)]
Exactly = Annotated[str, Query(max_length=100), CleanText]


@router.get("/admin/overview", response_model=Overview, responses=errors(*READ))
async def get_overview(_: Admin, state: StateOf) -> Overview:
    """The site in numbers."""
    async with state.db.read() as session:
        return await figures.overview(session)


@router.get("/admin/accounts", response_model=AccountRowPage, responses=errors(*READ, BadCursor))
async def list_accounts(
    _: Admin,
    state: StateOf,
    q: Annotated[str, Query(max_length=254), CleanText] = "",
    role: Role | None = None,
    banned: bool = False,
    cursor: Cursor = "",
    limit: Limit = 50,
) -> AccountRowPage:
    """Accounts, newest first. `q` is part of an e-mail or a name; guests are listed when asked for by role."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    query = service.listing(q.strip(), role or "", banned=banned, before=before)
    async with state.db.read() as session:
        rows = (await session.scalars(query.limit(limit + 1))).all()
    items = [service.row_of(row) for row in rows[:limit]]
    return AccountRowPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.get(
    "/admin/accounts/{account_id}", response_model=AccountFacts, responses=errors(*READ, service.AccountNotFound)
)
async def get_account(account_id: Id, _: Admin, state: StateOf) -> AccountFacts:
    """What is known of an account, without anything that it wrote."""
    async with state.db.read() as session:
        return await service.facts(session, await service.find(session, account_id))


@router.put("/admin/accounts/{account_id}/role", response_model=AccountRow, responses=errors(*WRITE, SessionRequired))
async def set_account_role(account_id: Id, body: NewRole, actor: Acting, state: StateOf) -> AccountRow:
    """Make an account an admin, or a plain one again. Not one's own, and not by an API token."""
    if actor.identity.via != "session":
        raise SessionRequired("An API token may not do this. Sign in with e-mail and password.")
    async with state.db.write() as session:
        return service.row_of(await service.set_role(session, actor, account_id, body.role))


@router.put("/admin/accounts/{account_id}/ban", response_model=AccountRow, responses=errors(*WRITE))
async def ban_account(account_id: Id, body: NewBan, actor: Acting, state: StateOf) -> AccountRow:
    """Close an account: sessions end, tokens are refused, what it has in the queue is cancelled."""
    async with state.db.write() as session:
        account, cancelled = await service.ban(session, actor, account_id, body.reason)
    for row in cancelled:
        state.dispatcher.cancel(row)
    return service.row_of(account)


@router.delete("/admin/accounts/{account_id}/ban", response_model=AccountRow, responses=errors(*WRITE))
async def unban_account(account_id: Id, actor: Acting, state: StateOf) -> AccountRow:
    """Open an account again."""
    async with state.db.write() as session:
        return service.row_of(await service.unban(session, actor, account_id))


@router.delete("/admin/accounts/{account_id}/sessions", response_model=AccountRow, responses=errors(*WRITE))
async def sign_account_out(account_id: Id, actor: Acting, state: StateOf) -> AccountRow:
    """End every session of an account. Its API tokens go on working."""
    async with state.db.write() as session:
        return service.row_of(await service.sign_out(session, actor, account_id))


@router.get("/admin/submissions", response_model=SentSubmissionPage, responses=errors(*READ, BadCursor))
async def list_all_submissions(
    _: Admin,
    state: StateOf,
    account: Exactly = "",
    slug: Exactly = "",
    verdict: VerdictName | None = None,
    cursor: Cursor = "",
    limit: Limit = 50,
) -> SentSubmissionPage:
    """Everybody's submissions, newest first, without their source; `verdict=JE` are those that we could not judge."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    query = _submissions(account, slug, verdict or "")
    if before:
        query = query.where(Submission.id < before)
    async with state.db.read() as session:
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
