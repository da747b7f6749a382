"""Stores and answers reports and suggestions, and limits how many an account may send."""

import hashlib
from datetime import timedelta
from typing import Any

from sqlalchemy import Select, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.catalogue import Catalogue
from api.identity.accounts import guests
from api.identity.accounts.models import Account
from api.identity.audit import service as audit
from api.identity.audit.service import Action, Actor
from api.identity.sessions.credentials import Identity
from api.identity.sessions.origin import Origin
from api.identity.sign_in.service import SignInLimits
from api.judging.submissions.models import Submission
from api.kit.db.database import hold, now
from api.kit.errors import ApiError, TooManyRequests
from api.kit.ids import new_id
from api.practice.feedback import reported_content
from api.practice.feedback.models import Report
from api.practice.feedback.schemas import WRITTEN, Answer, NewReport, NewSuggestion

OPEN, A_DAY = 20, 20
# Maximum number of unanswered reports that a guest may have. It is low because anybody can create many guest accounts.
OPEN_OF_A_GUEST = 3
SUGGESTION = "suggestion"


class TargetNotFound(ApiError):
    """The challenge, topic or question is not in the catalogue, or the user cannot read the comment or shared answer."""

    status, code = 404, "target_not_found"


class EvidenceNotFound(ApiError):
    """The attached submission belongs to another account or to another challenge."""

    status, code = 404, "evidence_not_found"


class AlreadyReported(ApiError):
    """The account has an unanswered report about the same problem."""

    status, code = 409, "already_reported"


class ReportNotFound(ApiError):
    status, code = 404, "report_not_found"


async def report(session: AsyncSession, caller: Identity, wanted: NewReport, catalogue: Catalogue) -> Report:
    """Store a report. Raises `TargetNotFound`, `EvidenceNotFound`, `AlreadyReported`, `TooManyRequests`, `AskedInInterview`."""
    account = caller.account
    if wanted.about in WRITTEN:
        if not await reported_content.may_report(session, caller, wanted.about, wanted.target):
            raise TargetNotFound(f"There is no {wanted.about} like this. It may have been deleted.")
    elif not _exists(catalogue, wanted.about, wanted.target):
        raise TargetNotFound(f"There is no {wanted.about} {wanted.target[:80]!r} to report an error in.")
    if wanted.submission_id is not None:
        sent = await session.get(Submission, wanted.submission_id)
        if sent is None or sent.account_id != account.id or (wanted.about, wanted.target) != ("challenge", sent.slug):
            raise EvidenceNotFound(
                "You have no submission with this ID for this challenge. Leave it out, or name another one."
            )
    values = {**wanted.model_dump(), "title": "", "tests": "", "why": ""}
    return await _add(session, account, values, (wanted.kind, wanted.about, wanted.target))


async def suggest(session: AsyncSession, account: Account, wanted: NewSuggestion) -> Report:
    """Store a suggestion. Raises `AlreadyReported`, `TooManyRequests`."""
    values = {**wanted.model_dump(), "kind": SUGGESTION, "about": "", "target": "", "submission_id": None}
    return await _add(session, account, values, (SUGGESTION, wanted.title.casefold()))


def count_guest(limits: SignInLimits, origin: Origin) -> None:
    """Count a guest's report against the limit of its network address. Raises `TooManyRequests`."""
    if wait := limits.reports_of_guests.wait_s(origin.network):
        raise TooManyRequests(
            "Guests at your address have sent many reports. Create an account to send another one.", retry_after_s=wait
        )
    limits.reports_of_guests.count(origin.network)


@guests.on_guest_merge
async def clear_duplicate_keys(session: AsyncSession, guest_id: str, account_id: str) -> None:
    """Prepare to move a guest's reports to an account. If both have an open report about the same problem, `open_key` of the
    guest's report is cleared, because the column must be unique for each account.
    """
    same = select(Report.open_key).where(Report.account_id == account_id, Report.open_key.is_not(None))
    both = (Report.account_id == guest_id, Report.open_key.in_(same))
    await session.execute(update(Report).where(*both).values(open_key=None))


async def answer(session: AsyncSession, actor: Actor, report_id: str, wanted: Answer) -> tuple[Report, str]:
    """Answer a report, or change the answer. Returns the report and its author's name. Raises `ReportNotFound`."""
    row = await session.get(Report, report_id)
    if row is None:
        raise ReportNotFound("There is no report with this ID.")
    row.state, row.reply, row.answered_at, row.open_key = wanted.state, wanted.reply, now(), None
    audit.record(session, actor, Action.ANSWER, report_id, state=wanted.state)
    return row, (await session.get_one(Account, row.account_id)).name


def own(account_id: str, before: str) -> Select[Report]:
    """Return a query for an account's reports, newest first."""
    query = select(Report).where(Report.account_id == account_id).order_by(Report.id.desc())
    return query.where(Report.id < before) if before else query


def everybody(*, suggestions: bool | None, state: str, before: str) -> Select[Report, str]:
    """Return a query for the reports of all accounts with their authors' names, newest first. `suggestions` selects: True only
    suggestions, False only error reports, None both.
    """
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
    await _require_below_limit(session, account)
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
        raise AlreadyReported("You have reported this already, and it is not answered yet. See your reports.") from None
    return row


async def _require_below_limit(session: AsyncSession, account: Account) -> None:
    await hold(session, f"reports {account.id}")
    most = OPEN_OF_A_GUEST if guests.is_guest(account) else OPEN
    mine = select(func.count()).select_from(Report).where(Report.account_id == account.id)
    if (await session.scalar(mine.where(Report.state == "open")) or 0) >= most:
        raise TooManyRequests(
            f"You have {most} reports without an answer. Send more once some of them are answered.", retry_after_s=3600
        )
    if (await session.scalar(mine.where(Report.created_at > now() - timedelta(days=1))) or 0) >= A_DAY:
        raise TooManyRequests(f"You can send at most {A_DAY} reports a day. Try again tomorrow.", retry_after_s=3600)
