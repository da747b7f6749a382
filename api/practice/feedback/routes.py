"""Routes for feedback. Users report errors and what other users wrote, suggest questions and read the answers. Admins list
reports, answer them, and hide comments and shared answers.
"""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, status

from api.content.catalogue.service import CatalogueStoreDep
from api.identity.accounts.guests import is_guest
from api.identity.audit.service import Acting
from api.identity.sessions.current_account import (
    AccountRequired,
    Admin,
    Browser,
    Caller,
    Member,
    RequestOrigin,
    SessionRequired,
)
from api.identity.sign_in.service import SignInLimitsDep
from api.kit.errors import BadCursor, CrossSite, Forbidden, NotSignedIn, TooManyRequests, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.kit.ids import Id
from api.kit.text import CleanText
from api.practice.discussions import service as discussions
from api.practice.feedback import reported_content, service
from api.practice.feedback.models import Report
from api.practice.feedback.schemas import (
    Answer,
    Hiding,
    NewReport,
    NewSuggestion,
    ReportedContent,
    ReportPage,
    ReportState,
    ReportView,
    SentReport,
    SentReportPage,
)
from api.practice.running_interviews.restrictions import AskedInInterview
from api.practice.sharing import service as sharing

router = APIRouter(tags=["reports"], route_class=JsonRoute)
NEW = (CrossSite, NotSignedIn, SessionRequired, service.AlreadyReported, TooManyRequests)
Cursor = Annotated[str, Query(max_length=200), CleanText]
Limit = Annotated[int, Query(ge=1, le=100)]


@router.post(
    "/reports",
    status_code=status.HTTP_201_CREATED,
    response_model=ReportView,
    responses=errors(*NEW, service.TargetNotFound, service.EvidenceNotFound, AskedInInterview),
)
async def create_report(
    body: NewReport,
    caller: Browser,
    origin: RequestOrigin,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    limits: SignInLimitsDep,
) -> Report:
    """Report an error, or a comment or shared answer of another user. You can attach one of your submissions as evidence. The
    admins who answer the report may then read this submission. Guests can send reports too. They find the answer in the same
    browser, also after they have signed up there.
    """
    if is_guest(caller.account):
        service.count_guest(limits, origin)
    async with db.write() as session:
        return await service.report(session, caller, body, store.catalogue)


@router.post(
    "/suggestions",
    status_code=status.HTTP_201_CREATED,
    response_model=ReportView,
    responses=errors(*NEW, AccountRequired),
)
async def create_suggestion(body: NewSuggestion, caller: Member, db: DatabaseDep) -> Report:
    """Suggest a question that is missing on this site."""
    async with db.write() as session:
        return await service.suggest(session, caller.account, body)


@router.get("/reports", response_model=ReportPage, responses=errors(NotSignedIn, BadCursor))
async def list_reports(caller: Caller, db: DatabaseDep, cursor: Cursor = "", limit: Limit = 50) -> ReportPage:
    """Your reports and suggestions, newest first, with the answers to them."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with db.read() as session:
        rows = (await session.scalars(service.own(caller.account.id, before).limit(limit + 1))).all()
    items = [ReportView.model_validate(row) for row in rows[:limit]]
    return ReportPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.get("/admin/reports", response_model=SentReportPage, responses=errors(NotSignedIn, Forbidden, BadCursor))
async def list_all_reports(
    _: Admin,
    db: DatabaseDep,
    kind: Literal["suggestion", "error"] | None = None,
    state_: Annotated[ReportState | None, Query(alias="state")] = None,
    cursor: Cursor = "",
    limit: Limit = 50,
) -> SentReportPage:
    """Reports and suggestions of all accounts, newest first."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    suggestions = None if kind is None else kind == "suggestion"
    query = service.everybody(suggestions=suggestions, state=state_ or "", before=before)
    async with db.read() as session:
        rows = (await session.execute(query.limit(limit + 1))).all()
        contents = await reported_content.contents(session, [row[0] for row in rows[:limit]])
    items = [_sent(row, name, contents) for row, name in rows[:limit]]
    return SentReportPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.post(
    "/admin/reports/{report_id}/answer",
    response_model=SentReport,
    responses=errors(CrossSite, NotSignedIn, Forbidden, service.ReportNotFound),
)
async def answer_report(report_id: Id, body: Answer, actor: Acting, db: DatabaseDep) -> SentReport:
    """Answer a report or a suggestion. A later answer replaces an earlier one."""
    async with db.write() as session:
        row, name = await service.answer(session, actor, report_id, body)
        contents = await reported_content.contents(session, [row])
    return _sent(row, name, contents)


@router.put(
    "/admin/comments/{comment_id}/hidden",
    status_code=204,
    responses=errors(CrossSite, NotSignedIn, Forbidden, discussions.CommentNotFound),
)
async def hide_comment(comment_id: Id, body: Hiding, actor: Acting, db: DatabaseDep) -> None:
    """Hide a comment from everybody but its author and admins, or restore it."""
    async with db.write() as session:
        await discussions.hide(session, actor, comment_id, hidden=body.hidden)


@router.put(
    "/admin/shared/{shared_id}/hidden",
    status_code=204,
    responses=errors(CrossSite, NotSignedIn, Forbidden, sharing.SharedNotFound),
)
async def hide_shared(shared_id: Id, body: Hiding, actor: Acting, db: DatabaseDep) -> None:
    """Hide a shared answer from everybody, or restore it. Its owner cannot undo that."""
    async with db.write() as session:
        await sharing.hide(session, actor, shared_id, hidden=body.hidden)


def _sent(row: Report, name: str, contents: dict[str, ReportedContent]) -> SentReport:
    fields = ReportView.model_validate(row).model_dump()
    return SentReport(**fields, account_id=row.account_id, account_name=name, content=contents.get(row.target))
