"""Reads the parts of a review that count, for many participations at once: the newest manual points of each item, and the
newest decision.
"""

from collections.abc import Collection

from sqlalchemy import bindparam, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.review_records.models import Decision, ManualPoints
from api.hiring.review_records.schemas import DecisionName, ManualView, manual_view
from api.identity.accounts.models import Account

# This query is built once, because it runs whenever a participation is read.
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
    """Return the manual points that count, by participation and position."""
    rows = await session.execute(MANUAL, {"participations": list(participations)})
    return {(row.participation_id, row.position): manual_view(row, name) for row, name in rows}


async def decisions_of(session: AsyncSession, participations: Collection[str]) -> dict[str, DecisionName]:
    """Return the newest decisions about these participations. Those without a decision are left out."""
    newest = select(func.max(Decision.id)).where(Decision.participation_id.in_(participations))
    query = select(Decision.participation_id, Decision.decision)
    rows = await session.execute(query.where(Decision.id.in_(newest.group_by(Decision.participation_id))))
    return {row.participation_id: row.decision for row in rows}


def adjusted(score: float, points: int, manual: ManualView | None) -> float:
    """Return the score of an item with its manual points, limited to the range from 0 to the item's points."""
    if manual is None:
        return score
    wanted = manual.points if manual.mode == "set" else score + manual.points
    return round(min(max(wanted, 0.0), points), 2)
