"""Compares the result of a challenge with the results of all teams that share theirs.

A team shares only the points and times of its finished candidates. Nothing is copied: results are read when they are compared,
so those of a team that stops sharing, and of a deleted candidate, no longer count at once.
"""

import statistics
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.assessments.models import Assessment
from api.hiring.invitations.models import Invitation
from api.hiring.participations.models import Participation, ParticipationItem
from api.hiring.participations.time_spent import spent_on
from api.hiring.taking import scores
from api.hiring.taking.schemas import ScoredItem
from api.hiring.team_comparison.schemas import ComparedGroup, ComparedItem
from api.hiring.teams.models import Team

# A percentage of fewer candidates changes by more than five points with each of them.
LEAST_PEOPLE = 20
# With two teams, each could subtract its own results and see those of the other.
LEAST_TEAMS = 3
# Shares are quotients, so equal ones can differ in the last digit.
SLACK = 1e-9
# The maximum number of participations that are read for one comparison. The newest are read. It is as many as the builder reads
# for its figures (see `item_history`).
MOST = 500


@dataclass(frozen=True)
class Group:
    """The results of all candidates for one challenge: the sorted shares of its points, the times in seconds, and the number of
    teams.
    """

    shares: Sequence[float]
    times: Sequence[int]
    teams: int

    @property
    def figures(self) -> ComparedGroup:
        return ComparedGroup(people=len(self.shares), teams=self.teams, median_s=statistics.median(self.times))

    def better_than(self, item: ScoredItem) -> float:
        """Return the share of candidates who got fewer points, from 0 to 1. Points that a team gave by hand do not count."""
        return bisect_left(self.shares, item.score / item.points - SLACK) / len(self.shares)


Groups = dict[str, Group]


def group_of(groups: Groups, item: ScoredItem) -> Group | None:
    """Return the group with which the result of an item is compared, or None if it is not compared: the item is a quiz, was not
    opened, is still being judged, or too few candidates got it.
    """
    return groups.get(item.name) if _counts(item) else None


def compared(groups: Groups, items: Sequence[ScoredItem]) -> list[ComparedItem]:
    """Return the comparisons of a candidate's items. Items that are not compared are left out."""
    found = ((item, group_of(groups, item)) for item in items)
    return [
        ComparedItem(position=item.position, better_than=group.better_than(item), **group.figures.model_dump())
        for item, group in found
        if group
    ]


async def groups_for(session: AsyncSession, team_id: str, items: Collection[tuple[str, str]]) -> Groups:
    """Return the groups for items (kind and name), by name. They are empty if the team does not share its results. Challenges of
    a team's own, and challenges with too few results or teams, are left out.
    """
    names = {name for kind, name in items if kind == "challenge" and not name.startswith("own/")}
    team = await session.get_one(Team, team_id)
    if not team.shares_results or not names:
        return {}
    rows = {row.account_id: row for row in await session.execute(_shared(names))}
    drawn: dict[str, list[ParticipationItem]] = {account: [] for account in rows}
    accounts = {row.id: account for account, row in rows.items()}
    wanted = ParticipationItem.participation_id.in_(accounts), ParticipationItem.name.in_(names)
    for item in await session.scalars(select(ParticipationItem).where(*wanted)):
        drawn[accounts[item.participation_id]].append(item)
    scored = await scores.scored_of(session, drawn)
    spent = await spent_on(session, list(accounts), {})
    best: dict[str, dict[str, tuple[float, int, str]]] = defaultdict(dict)
    for account, row in rows.items():
        for one in filter(_counts, scored[account]):
            result = one.score / one.points, spent.get((row.id, one.position), 0), row.team_id
            person = row.email.casefold() or row.invitation_id
            # The same person counts once, with the best result.
            best[one.name][person] = max(result, best[one.name].get(person, result), key=lambda each: each[0])
    groups = {name: _group(list(results.values())) for name, results in best.items()}
    return {
        name: group
        for name, group in groups.items()
        if len(group.shares) >= LEAST_PEOPLE and group.teams >= LEAST_TEAMS
    }


def _group(results: Sequence[tuple[float, int, str]]) -> Group:
    times = [seconds for _, seconds, _ in results]
    return Group(sorted(share for share, _, _ in results), times, len({team for _, _, team in results}))


def _counts(item: ScoredItem) -> bool:
    return item.kind == "challenge" and item.opened_at is not None and not item.unfinished


def _shared(names: Collection[str]) -> Select[Any]:
    """Return a query for the newest finished participations of sharing teams that contain one of these challenges. Test drives
    and participations whose invitation was revoked are left out.
    """
    has_item = select(ParticipationItem.participation_id).where(
        ParticipationItem.kind == "challenge", ParticipationItem.name.in_(names)
    )
    return (
        select(Participation.id, Participation.account_id, Invitation.email)
        .add_columns(Invitation.id.label("invitation_id"), Team.id.label("team_id"))
        .join(Assessment, Assessment.id == Participation.assessment_id)
        .join(Team, Team.id == Assessment.team_id)
        .join(Invitation, Invitation.id == Participation.invitation_id)
        .where(Team.shares_results, Participation.finished_at.is_not(None), ~Participation.is_test)
        .where(Invitation.revoked_at.is_(None), Participation.id.in_(has_item))
        .order_by(Participation.id.desc())
        .limit(MOST)
    )
