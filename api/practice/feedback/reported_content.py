"""Finds what a report is about, if a user wrote it: a comment, or a shared answer. Reports name it as `challenge/ID`."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts.models import Account
from api.identity.sessions.credentials import Identity
from api.practice.discussions import service as discussions
from api.practice.discussions.models import Comment
from api.practice.feedback.models import Report
from api.practice.feedback.schemas import ReportedContent
from api.practice.sharing import service as sharing
from api.practice.sharing.models import SharedAnswer


async def may_report(session: AsyncSession, caller: Identity, about: str, target: str) -> bool:
    """Return whether there is such a comment or shared answer, and the caller may read it."""
    slug, _, identifier = target.partition("/")
    try:
        if about == "comment":
            return (await discussions.find(session, caller, identifier)).slug == slug
        return (await sharing.find(session, identifier, caller.account.id))[0].slug == slug
    except (discussions.CommentNotFound, sharing.SharedNotFound):
        return False


async def contents(session: AsyncSession, reports: Sequence[Report]) -> dict[str, ReportedContent]:
    """Return what the reports are about, by target. What was deleted is left out."""
    comments = [_id(each) for each in reports if each.about == "comment"]
    answers = [_id(each) for each in reports if each.about == "answer"]
    found: dict[str, ReportedContent] = {}
    written = select(Comment, Account).join(Account, Account.id == Comment.author_id)
    for comment, author in await session.execute(written.where(Comment.id.in_(comments), Comment.deleted_at.is_(None))):
        found[f"{comment.slug}/{comment.id}"] = _content(comment, author, comment.text, None)
    shared = select(SharedAnswer, Account).join(Account, Account.id == SharedAnswer.account_id)
    for answer, owner in await session.execute(shared.where(SharedAnswer.id.in_(answers))):
        found[f"{answer.slug}/{answer.id}"] = _content(answer, owner, "", answer.submission_id)
    return found


def _id(report: Report) -> str:
    return report.target.partition("/")[2]


def _content(row: Comment | SharedAnswer, author: Account, text: str, submission_id: str | None) -> ReportedContent:
    return ReportedContent(
        id=row.id,
        slug=row.slug,
        account_id=author.id,
        account_name=author.name,
        text=text,
        submission_id=submission_id,
        hidden=row.hidden_at is not None,
    )
