"""Rules of reports: what may be reported, how much of it, and answering."""

import hashlib
from datetime import timedelta
from typing import Any

from sqlalchemy import Select, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts import guests
from api.accounts.models import Account
from api.accounts.service import Door, Origin
from api.audit import service as audit
from api.audit.service import Action, Actor
from api.catalogue.service import Catalogue
from api.db import hold, now
from api.errors import ApiError, TooManyRequests
from api.ids import new_id
from api.reports.models import Report
from api.reports.schemas import Answer, NewReport, NewSuggestion
from api.submissions.models import Submission

OPEN, A_DAY = 20, 20
# A guest costs nothing to make.
OPEN_OF_A_GUEST = 3
SUGGESTION = "suggestion"


class TargetNotFound(ApiError):
    """What the report is about is not served."""

    status, code = 404, "target_not_found"


class EvidenceNotFound(ApiError):
    """The submission that should show the error is not the reporter's, or not for this challenge."""

    status, code = 404, "evidence_not_found"


class AlreadyReported(ApiError):
    """The same person has told the same, and it is not answered yet."""

    status, code = 409, "already_reported"


class ReportNotFound(ApiError):
    """There is no such report."""

    status, code = 404, "report_not_found"


async def report(session: AsyncSession, account: Account, wanted: NewReport, catalogue: Catalogue) -> Report:
    """Store an error report. Raises `TargetNotFound`, `EvidenceNotFound`, `AlreadyReported`, `TooManyRequests`."""
    if not _exists(catalogue, wanted.about, wanted.target):
        raise TargetNotFound(f"There is no {wanted.about} {wanted.target[:80]!r} to report an error in.")
    if wanted.submission_id is not None:
        sent = await session.get(Submission, wanted.submission_id)
        if sent is None or sent.account_id != account.id or (wanted.about, wanted.target) != ("challenge", sent.slug):
            raise EvidenceNotFound(
                "You have no submission with this id for this challenge. Leave it out, or name another."
            )
    values = {**wanted.model_dump(), "title": "", "tests": "", "why": ""}
    return await _add(session, account, values, (wanted.kind, wanted.about, wanted.target))


async def suggest(session: AsyncSession, account: Account, wanted: NewSuggestion) -> Report:
    """Store a suggestion. Raises `AlreadyReported`, `TooManyRequests`."""
    values = {**wanted.model_dump(), "kind": SUGGESTION, "about": "", "target": "", "submission_id": None}
    return await _add(session, account, values, (SUGGESTION, wanted.title.casefold()))


def count_guest(door: Door, origin: Origin) -> None:
    """A guest reports something from an address. Raises `TooManyRequests`."""
    if wait := door.reports_of_guests.wait_s(origin.network):
        raise TooManyRequests(
            "Guests at your address have reported a lot. Make an account to go on.", retry_after_s=wait
        )
    door.reports_of_guests.count(origin.network)


@guests.settles
async def tell_once(session: AsyncSession, guest_id: str, account_id: str) -> None:
    """Where guest and account have told the same, the guest's words stay and hold nothing up."""
    same = select(Report.open_key).where(Report.account_id == account_id, Report.open_key.is_not(None))
    both = (Report.account_id == guest_id, Report.open_key.in_(same))
    await session.execute(update(Report).where(*both).values(open_key=None))


async def answer(session: AsyncSession, actor: Actor, report_id: str, wanted: Answer) -> tuple[Report, str]:
    """Answer a report, or change the answer; returns it with its author's name. Raises `ReportNotFound`."""
    row = await session.get(Report, report_id)
    if row is None:
        raise ReportNotFound("There is no report with this id.")
    row.state, row.reply, row.answered_at, row.open_key = wanted.state, wanted.reply, now(), None
    audit.record(session, actor, Action.ANSWER, report_id, state=wanted.state)
    return row, (await session.get_one(Account, row.account_id)).name


def own(account_id: str, before: str) -> Select[Report]:
    """An account's reports, newest first."""
    query = select(Report).where(Report.account_id == account_id).order_by(Report.id.desc())
    return query.where(Report.id < before) if before else query


def everybody(*, suggestions: bool | None, state: str, before: str) -> Select[Report, str]:
    """All reports with their authors' names, newest first; `suggestions` says which of both kinds, None takes both."""
    query = select(Report, Account.name).join(Account, Account.id == Report.account_id).order_by(Report.id.desc())
    if suggestions is not None:
        query = query.where((Report.kind == SUGGESTION) if suggestions else (Report.kind != SUGGESTION))
    if state:
        query = query.where(Report.state == state)
    return query.where(Report.id < before) if before else query


def _exists(catalogue: Catalogue, about: str, target: str) -> bool:
    if about == "challenge":
        return target in catalogue.by_slug
    name, _, question = target.partition("/")
    topic = catalogue.topics.get(name)
    if about == "topic" or topic is None:
        return topic is not None and not question
    return topic.quiz is not None and topic.quiz.question(question) is not None


async def _add(session: AsyncSession, account: Account, values: dict[str, Any], same: tuple[str, ...]) -> Report:
    await _not_too_many(session, account)
    row = Report(
        **values,
        id=new_id(),
        account_id=account.id,
        open_key=hashlib.sha256("\0".join(same).encode()).hexdigest(),
        state="open",
        reply="",
        created_at=now(),
        answered_at=None,
    )
    session.add(row)
    try:
        await session.flush()
    except IntegrityError:
        raise AlreadyReported("You have told us this already; we have not answered yet. See your reports.") from None
    return row


async def _not_too_many(session: AsyncSession, account: Account) -> None:
    await hold(session, f"reports {account.id}")
    most = OPEN_OF_A_GUEST if guests.is_guest(account) else OPEN
    mine = select(func.count()).select_from(Report).where(Report.account_id == account.id)
    if (await session.scalar(mine.where(Report.state == "open")) or 0) >= most:
        raise TooManyRequests(
            f"You have {most} reports that wait for an answer. Let us catch up first.", retry_after_s=3600
        )
    if (await session.scalar(mine.where(Report.created_at > now() - timedelta(days=1))) or 0) >= A_DAY:
        raise TooManyRequests(f"At most {A_DAY} reports a day. Please come back tomorrow.", retry_after_s=3600)
