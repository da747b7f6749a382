"""From rows to the results of an assessment: who counts, what everything came to, how long it took."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import case, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.assessments.models import Assessment
from api.judging.models import Judging
from api.participations import watching
from api.participations.models import Participation, ParticipationItem
from api.participations.schemas import ScoredItem
from api.participations.views import title_of
from api.participations.watching_schemas import WatchedRow
from api.quizzes.models import QuizAnswer
from api.reporting import figures, similarity
from api.reporting.schemas import Attempts, ItemFigures, ItemResult, PersonResult, Results
from api.state import State
from api.submissions.models import Submission
from grader.job import Kind, Verdict

# Of one assessment the newest so many participations are looked at.
MOST = 1000
Scored = tuple[WatchedRow, list[ScoredItem]]
# When an item was answered for good, by participation and position.
Moments = dict[tuple[str, int], datetime]


@dataclass(frozen=True)
class Wanted:
    """Which participations count: of one version or of all, and each person's best or last finished one."""

    version: int | None = None
    attempts: Attempts = "best"


async def results(
    session: AsyncSession, assessment: Assessment, wanted: Wanted, state: State, moment: datetime
) -> Results:
    """The results of an assessment, with a few queries for everybody."""
    own = Participation.assessment_id == assessment.id
    asked = own if wanted.version is None else own & (Participation.version == wanted.version)
    newest = select(Participation).where(asked).order_by(Participation.id.desc()).limit(MOST)
    rows = list(await session.scalars(newest))
    versions = await session.scalars(select(Participation.version).where(own).distinct())
    scored = await watching.scored_rows(session, rows, moment)
    chosen = choose(scored, wanted.attempts)
    people = await _people(session, assessment.id, chosen)
    shares = [person.share for person in people]
    return Results(
        assessment=assessment.name,
        version=wanted.version,
        versions=sorted(versions),
        attempts=wanted.attempts,
        started=len({row.invitation_id for row in rows}),
        finished=len(people),
        unfinished=sum(item.unfinished for person in people for item in person.items),
        left_out=max(0, (await session.scalar(select(func.count()).where(asked)) or 0) - MOST),
        mean=figures.mean(shares),
        median=figures.median(shares),
        median_s=figures.median([person.seconds for person in people]),
        distribution=figures.distribution(shares),
        items=items_of(people, await _titles(session, [row.id for row, _ in chosen], state)),
        people=people,
    )


def choose(scored: Iterable[Scored], attempts: Attempts) -> list[Scored]:
    """One finished participation a person: the best one (of equals the later), or the last one."""
    of_person: dict[str, Scored] = {}
    for found in sorted(scored, key=lambda one: one[0].number):
        row, before = found[0], of_person.get(found[0].invitation_id)
        if row.finished_at and (before is None or attempts == "last" or share(row) >= share(before[0])):
            of_person[row.invitation_id] = found
    return sorted(of_person.values(), key=lambda one: (-share(one[0]), one[0].id))


def items_of(people: Sequence[PersonResult], titles: dict[tuple[str, str], str]) -> list[ItemFigures]:
    """Figures of each item, over those who got it, in the order of the assessment."""
    got: dict[tuple[str, str], list[tuple[PersonResult, ItemResult]]] = defaultdict(list)
    for person in people:
        for item in person.items:
            got[item.kind, item.name].append((person, item))
    order = {key: (min(item.position for _, item in found), key[1]) for key, found in got.items()}
    return [_item(titles[key], got[key]) for key in sorted(got, key=lambda key: order[key])]


def _item(title: str, got: Sequence[tuple[PersonResult, ItemResult]]) -> ItemFigures:
    shares = [item.score / item.points for _, item in got]
    with_rest = [
        (reached, (person.score - item.score) / (person.points - item.points))
        for reached, (person, item) in zip(shares, got, strict=True)
        if person.points > item.points
    ]
    first = got[0][1]
    return ItemFigures(
        kind=first.kind,
        name=first.name,
        title=title,
        points=first.points,
        people=len(got),
        answered=sum(item.sent > 0 for _, item in got),
        solved=sum(item.score >= item.points for _, item in got),
        difficulty=figures.mean(shares) or 0.0,
        discrimination=figures.discrimination(with_rest),
        median_s=figures.median([item.seconds for _, item in got if item.seconds is not None]),
    )


async def _titles(session: AsyncSession, ids: Sequence[str], state: State) -> dict[tuple[str, str], str]:
    drawn = await session.scalars(select(ParticipationItem).where(ParticipationItem.participation_id.in_(ids)))
    return {(item.kind, item.name): title_of(item, state) for item in drawn}


async def _people(session: AsyncSession, assessment_id: str, chosen: Sequence[Scored]) -> list[PersonResult]:
    ids = [row.id for row, _ in chosen]
    done = await _answered_at(session, ids)
    alike = await similarity.largest(session, assessment_id)
    return [_person(row, items, done, alike.get(row.id)) for row, items in chosen]


def _person(row: WatchedRow, items: Sequence[ScoredItem], done: Moments, alike: float | None) -> PersonResult:
    end = row.finished_at
    assert end is not None, "only finished participations are chosen"
    plain = ("name", "email", "number", "version", "started_at", "finished_at", "finished_by", "points", "decision")
    values: dict[str, Any] = {name: getattr(row, name) for name in plain}
    return PersonResult(
        **values,
        participation_id=row.id,
        seconds=_seconds(row.started_at, end),
        share=share(row),
        noticed=row.signals,
        score=row.adjusted,
        similarity=alike,
        items=[_of_person(item, done.get((row.id, item.position)), end) for item in items],
    )


def _of_person(item: ScoredItem, done: datetime | None, end: datetime) -> ItemResult:
    # What is sent at the end by itself is put down a moment after it.
    took = _seconds(item.opened_at, min(done, end)) if item.opened_at and done else None
    plain = ("position", "kind", "name", "points", "verdict", "sent", "unfinished")
    return ItemResult(**{name: getattr(item, name) for name in plain}, score=item.adjusted, seconds=took)


async def _answered_at(session: AsyncSession, ids: Sequence[str]) -> Moments:
    accepted = func.min(case((Judging.verdict == Verdict.AC, Submission.created_at)))
    sent = (
        select(ParticipationItem.participation_id, ParticipationItem.position)
        .add_columns(func.coalesce(accepted, func.max(Submission.created_at)).label("at"))
        .join(Participation, Participation.id == ParticipationItem.participation_id)
        .join(
            Submission,
            (Submission.account_id == Participation.account_id) & (Submission.slug == ParticipationItem.name),
        )
        .join(Judging, (Judging.submission_id == Submission.id) & ~Judging.superseded)
        .where(Participation.id.in_(ids), ParticipationItem.kind == "challenge", Submission.kind == Kind.SUBMIT)
        .group_by(ParticipationItem.participation_id, ParticipationItem.position)
    )
    answered = (
        select(ParticipationItem.participation_id, ParticipationItem.position)
        .add_columns(func.max(QuizAnswer.answered_at).label("at"))
        .join(QuizAnswer, QuizAnswer.attempt_id == ParticipationItem.attempt_id)
        .where(ParticipationItem.participation_id.in_(ids))
        .group_by(ParticipationItem.participation_id, ParticipationItem.position)
    )
    rows = [*(await session.execute(sent)), *(await session.execute(answered))]
    return {(row.participation_id, row.position): row.at for row in rows}


def _seconds(begin: datetime, end: datetime) -> int:
    return max(0, round((end - begin).total_seconds()))


def share(row: WatchedRow) -> float:
    """How much of its points a participation reached, 0 to 1."""
    return row.adjusted / row.points if row.points else 0.0
