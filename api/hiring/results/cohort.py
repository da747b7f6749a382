"""Computes the results of an assessment. It selects the participations that count, and summarises the items, the candidates and
the time taken.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import CatalogueStore
from api.hiring.assessments.models import Assessment
from api.hiring.monitoring import service
from api.hiring.monitoring.schemas import WatchedRow
from api.hiring.participations.models import Participation, ParticipationItem
from api.hiring.participations.time_spent import spent_on
from api.hiring.plans.pinned_items import is_unproven, title_of, variant_of
from api.hiring.plans.plan import questions_of
from api.hiring.results import figures, similarity
from api.hiring.results.schemas import Attempts, ItemFigures, ItemResult, PersonResult, Results, VariantFigures
from api.hiring.taking.schemas import ScoredItem
from api.hiring.team_comparison.percentiles import Group, Groups, group_of, groups_for

# The maximum number of participations that are read per assessment. The newest are read.
MOST = 1000
Scored = tuple[WatchedRow, list[ScoredItem]]
# Maps a participation and an item's position to the seconds that the candidate worked on the item.
Spent = dict[tuple[str, int], int]
# Maps a participation and an item's position to the variant that the candidate got.
Variants = dict[tuple[str, int], str]


@dataclass(frozen=True)
class _Facts:
    """What the results say about participations besides their scores: the variants that candidates got, and the results of other
    teams to compare with.
    """

    variants: Variants
    groups: Groups


@dataclass(frozen=True)
class ResultsFilter:
    """Selects the participations that count. If `version` is set, only participations with this version of the plan count.
    `attempts` says whether each candidate's best or last finished participation counts.
    """

    version: int | None = None
    attempts: Attempts = "best"


async def results(
    session: AsyncSession,
    assessment: Assessment,
    results_filter: ResultsFilter,
    store: CatalogueStore,
    moment: datetime,
) -> Results:
    """Return the results of an assessment. The number of queries does not depend on the number of candidates."""
    own = (Participation.assessment_id == assessment.id) & ~Participation.is_test
    asked = own if results_filter.version is None else own & (Participation.version == results_filter.version)
    newest = select(Participation).where(asked).order_by(Participation.id.desc()).limit(MOST)
    rows = list(await session.scalars(newest))
    versions = await session.scalars(select(Participation.version).where(own).distinct())
    scored = await service.scored_rows(session, rows, moment)
    chosen = choose(scored, results_filter.attempts)
    drawn = await _drawn(session, [row.id for row, _ in chosen])
    variant = {(item.participation_id, item.position): variant_of(item, store) for item in drawn}
    unproven = {(item.kind, item.name) for item in drawn if is_unproven(item, store)}
    got = {(item.kind, item.name) for _, items in chosen for item in items}
    groups = await groups_for(session, assessment.team_id, got)
    people = await _people(session, assessment.id, chosen, _Facts(variant, groups))
    shares = [person.share for person in people]
    return Results(
        assessment=assessment.name,
        version=results_filter.version,
        versions=sorted(versions),
        attempts=results_filter.attempts,
        started=len({row.invitation_id for row in rows}),
        finished=len(people),
        unfinished=sum(item.unfinished for person in people for item in person.items),
        to_review=sum(item.to_review > 0 for person in people for item in person.items),
        left_out=max(0, (await session.scalar(select(func.count()).where(asked)) or 0) - MOST),
        mean=figures.mean(shares),
        median=figures.median(shares),
        median_s=figures.median([person.seconds for person in people]),
        distribution=figures.distribution(shares),
        items=items_of(people, await _titles(session, drawn, rows, store), groups, unproven),
        people=people,
    )


def choose(scored: Iterable[Scored], attempts: Attempts) -> list[Scored]:
    """Return one finished participation per invitation: the best one (the latest of equally good ones), or the last one."""
    of_person: dict[str, Scored] = {}
    for found in sorted(scored, key=lambda one: one[0].number):
        row, before = found[0], of_person.get(found[0].invitation_id)
        if row.finished_at and (before is None or attempts == "last" or share(row) >= share(before[0])):
            of_person[row.invitation_id] = found
    return sorted(of_person.values(), key=lambda one: (-share(one[0]), one[0].id))


def items_of(
    people: Sequence[PersonResult],
    titles: dict[tuple[str, str], str],
    groups: Groups | None = None,
    unproven: Collection[tuple[str, str]] = (),
) -> list[ItemFigures]:
    """Return statistics of each item over the candidates who got it, in the order of the assessment."""
    got: dict[tuple[str, str], list[tuple[PersonResult, ItemResult]]] = defaultdict(list)
    for person in people:
        for item in person.items:
            got[item.kind, item.name].append((person, item))
    order = {key: (min(item.position for _, item in found), key[1]) for key, found in got.items()}
    return [
        _item(titles[key], got[key], (groups or {}).get(key[1]), unproven=key in unproven)
        for key in sorted(got, key=lambda key: order[key])
    ]


def _item(
    title: str, all_got: Sequence[tuple[PersonResult, ItemResult]], group: Group | None, *, unproven: bool
) -> ItemFigures:
    got = [found for found in all_got if found[1].to_review == 0]
    shares = [item.score / item.points for _, item in got]
    with_rest = [
        (reached, (person.score - item.score) / (person.points - item.points))
        for reached, (person, item) in zip(shares, got, strict=True)
        if person.points > item.points
    ]
    first = all_got[0][1]
    return ItemFigures(
        kind=first.kind,
        name=first.name,
        title=title,
        points=first.points,
        people=len(all_got),
        answered=sum(item.sent > 0 for _, item in all_got),
        to_review=len(all_got) - len(got),
        solved=sum(item.score >= item.points for _, item in got),
        difficulty=figures.mean(shares) or 0.0,
        discrimination=figures.discrimination(with_rest),
        median_s=figures.median([item.seconds for _, item in all_got if item.seconds is not None]),
        compared=group.figures if group else None,
        is_follow_up=first.is_follow_up,
        unproven=unproven,
        variants=_variants([item for _, item in all_got]),
    )


def _variants(got: Sequence[ItemResult]) -> list[VariantFigures]:
    """Return the figures of each variant of an item, by name, or an empty list if all candidates got the same task."""
    by_variant: dict[str, list[ItemResult]] = defaultdict(list)
    for item in got:
        by_variant[item.variant].append(item)
    if len(by_variant) < 2:
        return []
    return [
        VariantFigures(
            variant=name,
            people=len(found),
            solved=sum(item.score >= item.points for item in found),
            median_score=figures.median([item.score for item in found]) or 0.0,
            median_s=figures.median([item.seconds for item in found if item.seconds is not None]),
        )
        for name, found in sorted(by_variant.items())
    ]


async def _drawn(session: AsyncSession, ids: Sequence[str]) -> Sequence[ParticipationItem]:
    query = select(ParticipationItem).where(ParticipationItem.participation_id.in_(ids))
    return (await session.scalars(query)).all()


async def _titles(
    session: AsyncSession, drawn: Sequence[ParticipationItem], rows: list[Participation], store: CatalogueStore
) -> dict[tuple[str, str], str]:
    """Return the titles of all items, by kind and name. For a question that was changed, return its newest title."""
    titles = {(item.kind, item.name): title_of(item, store) for item in drawn}
    for _, plan in sorted((await service.plans_of(session, rows)).items()):
        titles |= {("question", name): question.title for name, question in questions_of(plan)}
    return titles


async def _people(
    session: AsyncSession, assessment_id: str, chosen: Sequence[Scored], facts: _Facts
) -> list[PersonResult]:
    ids = [row.id for row, _ in chosen]
    spent = await spent_on(session, ids, {})
    alike = await similarity.largest(session, assessment_id)
    return [_person(row, items, spent, alike.get(row.id), facts) for row, items in chosen]


def _person(
    row: WatchedRow, items: Sequence[ScoredItem], spent: Spent, alike: float | None, facts: _Facts
) -> PersonResult:
    end = row.finished_at
    assert end is not None, "only finished participations are chosen"
    plain = (
        "name",
        "email",
        "number",
        "version",
        "started_at",
        "finished_at",
        "finished_by",
        "to_review",
        "answers_pending",
        "points",
        "decision",
    )
    values: dict[str, Any] = {name: getattr(row, name) for name in plain}
    return PersonResult(
        **values,
        participation_id=row.id,
        seconds=_seconds(row.started_at, end),
        share=share(row),
        noticed=row.signals,
        score=row.adjusted,
        similarity=alike,
        items=[
            _of_person(
                item, spent.get((row.id, item.position), 0), facts.variants.get((row.id, item.position), ""), facts
            )
            for item in items
        ],
    )


def _of_person(item: ScoredItem, spent_s: int, variant: str, facts: _Facts) -> ItemResult:
    took = spent_s if item.opened_at else None
    plain = ("position", "kind", "name", "points", "verdict", "sent", "unfinished", "to_review", "is_follow_up")
    group = group_of(facts.groups, item)
    values: dict[str, Any] = {name: getattr(item, name) for name in plain}
    return ItemResult(
        **values,
        variant=variant,
        score=item.adjusted,
        seconds=took,
        better_than=group.better_than(item) if group else None,
    )


def _seconds(begin: datetime, end: datetime) -> int:
    return max(0, round((end - begin).total_seconds()))


def share(row: WatchedRow) -> float:
    """Return the share of the assessment's points that a participation reached, from 0 to 1."""
    return row.adjusted / row.points if row.points else 0.0
