"""Reads final answers. A candidate's final answer to a challenge is the submission that counts for the score: the best one, and
the first of several equally good ones, as in `taking.scores`. If none has a verdict that counts, it is the last submission.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Float, ScalarSelect, Select, case, cast, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased, undefer

from api.hiring.assessments.models import Assessment
from api.hiring.participations.models import Participation, ParticipationItem
from api.hiring.participations.service import LoadedParticipation
from api.hiring.results.schemas import ComparedAnswer, LaterAnswer
from api.judging.intake import views
from api.judging.intake.schemas import SubmissionView
from api.judging.intake.service import listing, source_of
from api.judging.submissions.models import Judging, Submission, SubmissionSource
from grader.contract.job import Kind, Verdict


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
    """A final answer with its source and the results of its tests. `later` is the last submission, if that is another one."""

    submission: SubmissionView
    source: str
    later: LaterAnswer | None


async def final_of(session: AsyncSession, condition: ColumnElement[bool], most: int) -> list[FinalAnswer]:
    """Return at most `most` final answers of finished participations that meet the condition, newest first. Test drives are left
    out.
    """
    chosen = condition & Participation.finished_at.is_not(None) & ~Participation.is_test
    rows = await session.execute(_final(chosen).order_by(Submission.id.desc()).limit(most))
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
) -> list[ComparedAnswer]:
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
        _final(chosen)
        .add_columns(Submission.created_at.label("sent_at"), Judging.verdict, SubmissionSource.source)
        .join(Judging, (Judging.submission_id == Submission.id) & ~Judging.superseded)
        .join(SubmissionSource, SubmissionSource.submission_id == Submission.id)
    )
    names = ("participation_id", "name", "sent_at", "verdict", "source")
    rows = [{name: row[name] for name in names} for row in (await session.execute(query)).mappings()]
    return sorted((ComparedAnswer(**row) for row in rows), key=lambda one: participations.index(one.participation_id))


async def judged_answers(session: AsyncSession, run: LoadedParticipation) -> dict[int, JudgedAnswer]:
    """Return the final answers of a participation with the results of their tests, in a dictionary by the item's position."""
    found = {}
    for item in run.items:
        if item.kind != "challenge":
            continue
        query = listing(run.row.account_id, item.name, Kind.SUBMIT, "")
        counting = query.where(Submission.id == _counting()).options(undefer(Judging.judgement))
        row = (await session.execute(counting)).one_or_none()
        if row is None:
            continue
        last, its_judging = (await session.execute(query.limit(1))).one()
        later = _later(last, its_judging) if last.id != row[0].id else None
        source = (await source_of(session, row[0].id)).source
        found[item.position] = JudgedAnswer(views.view(row[0], row[1], None), source, later)
    return found


def _later(last: Submission, judging: Judging) -> LaterAnswer:
    return LaterAnswer.model_validate({"sent_at": last.created_at, "verdict": judging.verdict})


def _sent() -> Select[Any]:
    return (
        select(Submission.id, Submission.slug, Submission.digest, Participation.id.label("participation_id"))
        .add_columns(Participation.invitation_id, Participation.name, Participation.assessment_id)
        .add_columns(Assessment.name.label("assessment"))
        .join(Participation, Participation.account_id == Submission.account_id)
        .join(Assessment, Assessment.id == Participation.assessment_id)
    )


def _final(chosen: ColumnElement[bool]) -> Select[Any]:
    drawn = (ParticipationItem.participation_id == Participation.id) & (ParticipationItem.name == Submission.slug)
    of_item = drawn & (ParticipationItem.kind == "challenge")
    return _sent().join(ParticipationItem, of_item).where(chosen, Submission.id == _counting())


def _counting() -> ScalarSelect[Any]:
    """Return the ID of the final answer among the submissions of the same account for the same challenge."""
    each, judged = aliased(Submission), aliased(Judging)
    counts = judged.verdict.is_not(None) & (judged.verdict != Verdict.JE)
    share = func.coalesce(cast(judged.score, Float) / func.nullif(judged.max_score, 0), 0.0)
    best_first = (
        case((counts, 0), else_=1),
        case((counts, share), else_=0.0).desc(),
        case((counts & (judged.verdict == Verdict.AC), 0), else_=1),
        # The first of those that count. If none counts, the last one.
        case((counts, each.id), else_=""),
        each.id.desc(),
    )
    return (
        select(each.id)
        .join(judged, (judged.submission_id == each.id) & ~judged.superseded)
        .where(each.account_id == Submission.account_id, each.slug == Submission.slug, each.kind == Kind.SUBMIT)
        .order_by(*best_first)
        .limit(1)
        .correlate(Submission)
        .scalar_subquery()
    )
