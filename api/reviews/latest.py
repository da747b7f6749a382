"""What counts of a review, for many participations at once: the newest points by hand of each item, the newest decision."""

from collections.abc import Collection

from sqlalchemy import bindparam, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.models import Account
from api.reviews.models import Decision, ManualPoints
from api.reviews.schemas import DecisionName, ManualView, manual_view

# Built once: it is asked with every look at a participation.
_NEWEST = (
    select(func.max(ManualPoints.id))
    .where(ManualPoints.participation_id.in_(bindparam("participations", expanding=True)))
    .group_by(ManualPoints.participation_id, ManualPoints.position)
)
MANUAL = (
    select(ManualPoints, Account.name)
    .outerjoin(Account, Account.id == ManualPoints.reviewer_id)
    .where(ManualPoints.id.in_(_NEWEST), ManualPoints.mode != "none")
)


async def manual_of(session: AsyncSession, participations: Collection[str]) -> dict[tuple[str, int], ManualView]:
    """Points by hand that hold, by participation and position."""
    rows = await session.execute(MANUAL, {"participations": list(participations)})
    return {(row.participation_id, row.position): manual_view(row, name) for row, name in rows}


async def decisions_of(session: AsyncSession, participations: Collection[str]) -> dict[str, DecisionName]:
    """The decision about each participation about which there is one."""
    newest = select(func.max(Decision.id)).where(Decision.participation_id.in_(participations))
    query = select(Decision.participation_id, Decision.decision)
    rows = await session.execute(query.where(Decision.id.in_(newest.group_by(Decision.participation_id))))
    return {row.participation_id: row.decision for row in rows}


def adjusted(score: float, points: int, manual: ManualView | None) -> float:
    """The score of an item with points by hand: never below 0, never above the item's points."""
    if manual is None:
        return score
    wanted = manual.points if manual.mode == "set" else score + manual.points
    return round(min(max(wanted, 0.0), points), 2)
