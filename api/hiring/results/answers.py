"""Reads final answers. A candidate's final answer to a challenge is the last submission for this challenge."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased, undefer

from api.hiring.assessments.models import Assessment
from api.hiring.participations.models import Participation, ParticipationItem
from api.hiring.participations.service import LoadedParticipation
from api.hiring.results.schemas import LastAnswer
from api.judging.intake import views
from api.judging.intake.schemas import SubmissionView
from api.judging.intake.service import listing, source_of
from api.judging.submissions.models import Judging, Submission, SubmissionSource
from grader.contract.job import Kind


@dataclass(frozen=True)
class FinalAnswer:
    """A final answer without its source. `id` is the submission's ID, and `digest` identifies the version of the challenge that
    was answered. `name` is the candidate's name, and `assessment` is the assessment's name.
    """

    id: str
    slug: str
    digest: str
    participation_id: str
    invitation_id: str
    name: str
    assessment_id: str
    assessment: str


@dataclass(frozen=True)
class JudgedAnswer:
    """A final answer with its source and the results of its tests."""

    submission: SubmissionView
    source: str


async def last_of(session: AsyncSession, condition: ColumnElement[bool], most: int) -> list[FinalAnswer]:
    """Return at most `most` final answers of finished participations that meet the condition, newest first. Test drives are left
    out.
    """
    chosen = condition & Participation.finished_at.is_not(None) & ~Participation.is_test
    rows = await session.execute(_last(chosen).order_by(Submission.id.desc()).limit(most))
    return [FinalAnswer(**row) for row in rows.mappings()]


async def by_id(session: AsyncSession, ids: Sequence[str]) -> dict[str, FinalAnswer]:
    """Return the answers with these submission IDs, in a dictionary by submission ID."""
    rows = await session.execute(_sent().where(Submission.id.in_(ids)))
    return {row["id"]: FinalAnswer(**row) for row in rows.mappings()}


async def sources(session: AsyncSession, ids: Sequence[str], most: int) -> dict[str, str]:
    """Return the first `most` characters of each source, by submission ID."""
    text = func.substr(SubmissionSource.source, 1, most).label("source")
    query = select(SubmissionSource.submission_id, text).where(SubmissionSource.submission_id.in_(ids))
    return {row.submission_id: row.source for row in await session.execute(query)}


async def to_show(
    session: AsyncSession, assessment_id: str, slug: str, participations: Sequence[str]
) -> list[LastAnswer]:
    """Return the final answers of these participations to a challenge, in the given order. Participations without an answer
    are left out.
    """
    chosen = (
        (Participation.assessment_id == assessment_id)
        & Participation.id.in_(participations)
        & (Submission.slug == slug)
        & Participation.finished_at.is_not(None)
    )
    query = (
        _last(chosen)
        .add_columns(Submission.created_at.label("sent_at"), Judging.verdict, SubmissionSource.source)
        .join(Judging, (Judging.submission_id == Submission.id) & ~Judging.superseded)
        .join(SubmissionSource, SubmissionSource.submission_id == Submission.id)
    )
    names = ("participation_id", "name", "sent_at", "verdict", "source")
    rows = [{name: row[name] for name in names} for row in (await session.execute(query)).mappings()]
    return sorted((LastAnswer(**row) for row in rows), key=lambda one: participations.index(one.participation_id))


async def judged_answers(session: AsyncSession, run: LoadedParticipation) -> dict[int, JudgedAnswer]:
    """Return the final answers of a participation with the results of their tests, in a dictionary by the item's position."""
    found = {}
    for item in run.items:
        query = listing(run.row.account_id, item.name, Kind.SUBMIT, "").limit(1).options(undefer(Judging.judgement))
        row = (await session.execute(query)).one_or_none() if item.kind == "challenge" else None
        if row is not None:
            source = (await source_of(session, row[0].id)).source
            found[item.position] = JudgedAnswer(views.view(row[0], row[1], None), source)
    return found


def _sent() -> Select[Any]:
    return (
        select(Submission.id, Submission.slug, Submission.digest, Participation.id.label("participation_id"))
        .add_columns(Participation.invitation_id, Participation.name, Participation.assessment_id)
        .add_columns(Assessment.name.label("assessment"))
        .join(Participation, Participation.account_id == Submission.account_id)
        .join(Assessment, Assessment.id == Participation.assessment_id)
    )


def _last(chosen: ColumnElement[bool]) -> Select[Any]:
    later = aliased(Submission)
    newest = (
        select(func.max(later.id))
        .where(later.account_id == Submission.account_id, later.slug == Submission.slug, later.kind == Kind.SUBMIT)
        .scalar_subquery()
    )
    drawn = (ParticipationItem.participation_id == Participation.id) & (ParticipationItem.name == Submission.slug)
    of_item = drawn & (ParticipationItem.kind == "challenge")
    return _sent().join(ParticipationItem, of_item).where(chosen, Submission.id == newest)
