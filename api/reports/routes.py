"""Reporting an error, suggesting a question, reading the answers; for admins: answering."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, status

from api.accounts.guests import is_guest
from api.accounts.identity import AccountRequired, Admin, Browser, Caller, Member, RequestOrigin, SessionRequired
from api.audit.service import Acting
from api.bodies import JsonRoute
from api.errors import BadCursor, CrossSite, Forbidden, NotSignedIn, TooManyRequests, errors
from api.ids import Id
from api.pagination import decode_cursor, encode_cursor
from api.reports import service
from api.reports.models import Report
from api.reports.schemas import (
    Answer,
    NewReport,
    NewSuggestion,
    ReportPage,
    ReportState,
    ReportView,
    SentReport,
    SentReportPage,
)
from api.state import StateOf
from api.text import CleanText

router = APIRouter(tags=["reports"], route_class=JsonRoute)
NEW = (CrossSite, NotSignedIn, SessionRequired, service.AlreadyReported, TooManyRequests)
Cursor = Annotated[str, Query(max_length=200), CleanText]
Limit = Annotated[int, Query(ge=1, le=100)]


@router.post(
    "/reports",
    status_code=status.HTTP_201_CREATED,
    response_model=ReportView,
    responses=errors(*NEW, service.TargetNotFound, service.EvidenceNotFound),
)
async def create_report(body: NewReport, caller: Browser, origin: RequestOrigin, state: StateOf) -> Report:
    """Report an error. An own submission may be named as evidence; whoever answers may read it. A guest may report too, and
    reads the answer in the same browser, or after signing up there.
    """
    if is_guest(caller.account):
        service.count_guest(state.door, origin)
    async with state.db.write() as session:
        return await service.report(session, caller.account, body, state.shelf.catalogue)


@router.post(
    "/suggestions",
    status_code=status.HTTP_201_CREATED,
    response_model=ReportView,
    responses=errors(*NEW, AccountRequired),
)
async def create_suggestion(body: NewSuggestion, caller: Member, state: StateOf) -> Report:
    """Suggest a question."""
    async with state.db.write() as session:
        return await service.suggest(session, caller.account, body)


@router.get("/reports", response_model=ReportPage, responses=errors(NotSignedIn, BadCursor))
async def list_reports(caller: Caller, state: StateOf, cursor: Cursor = "", limit: Limit = 50) -> ReportPage:
    """Your reports and suggestions, newest first, with what became of them."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with state.db.read() as session:
        rows = (await session.scalars(service.own(caller.account.id, before).limit(limit + 1))).all()
    items = [ReportView.model_validate(row) for row in rows[:limit]]
    return ReportPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.get("/admin/reports", response_model=SentReportPage, responses=errors(NotSignedIn, Forbidden, BadCursor))
async def list_all_reports(
    _: Admin,
    state: StateOf,
    kind: Literal["suggestion", "error"] | None = None,
    state_: Annotated[ReportState | None, Query(alias="state")] = None,
    cursor: Cursor = "",
    limit: Limit = 50,
) -> SentReportPage:
    """Everybody's reports and suggestions, newest first."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    suggestions = None if kind is None else kind == "suggestion"
    query = service.everybody(suggestions=suggestions, state=state_ or "", before=before)
    async with state.db.read() as session:
        rows = (await session.execute(query.limit(limit + 1))).all()
    items = [_sent(row, name) for row, name in rows[:limit]]
    return SentReportPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.post(
    "/admin/reports/{report_id}/answer",
    response_model=SentReport,
    responses=errors(CrossSite, NotSignedIn, Forbidden, service.ReportNotFound),
)
async def answer_report(report_id: Id, body: Answer, actor: Acting, state: StateOf) -> SentReport:
    """Answer a report or a suggestion; a later answer replaces an earlier one."""
    async with state.db.write() as session:
        row, name = await service.answer(session, actor, report_id, body)
    return _sent(row, name)


def _sent(row: Report, name: str) -> SentReport:
    told = ReportView.model_validate(row).model_dump()
    return SentReport(**told, account_id=row.account_id, account_name=name)
