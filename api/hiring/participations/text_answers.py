"""Finds the texts with which candidates answered questions of the team, and which of them no reviewer has graded yet."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import bindparam, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.participations.models import ParticipationDraft, ParticipationItem
from api.hiring.review_records import latest
from api.hiring.review_records.schemas import ManualView

BLANK = " \t\r\n"
# This query is built once, because it runs whenever a participation with questions is read.
WRITTEN = (
    select(ParticipationDraft.participation_id, ParticipationDraft.position, ParticipationDraft.saved_at)
    .join(
        ParticipationItem,
        (ParticipationItem.participation_id == ParticipationDraft.participation_id)
        & (ParticipationItem.position == ParticipationDraft.position),
    )
    .where(
        ParticipationItem.kind == "question",
        ParticipationDraft.participation_id.in_(bindparam("participations", expanding=True)),
        func.length(func.trim(ParticipationDraft.source, BLANK)) > 0,
    )
)


async def written_at(session: AsyncSession, participations: Collection[str]) -> dict[tuple[str, int], datetime]:
    """Return when each text was last saved, by participation and position. Empty texts are left out."""
    rows = await session.execute(WRITTEN, {"participations": list(participations)})
    return {(row.participation_id, row.position): row.saved_at for row in rows}


def awaits_review(saved_at: datetime, manual: ManualView | None) -> bool:
    """Return whether no manual points were given for a text since it was last changed."""
    return manual is None or manual.at < saved_at


async def awaiting_review(session: AsyncSession, participations: Collection[str]) -> set[str]:
    """Return those of the participations that contain a text that awaits its review."""
    written = await written_at(session, participations)
    manual = await latest.manual_of(session, {participation for participation, _ in written})
    return {key[0] for key, saved_at in written.items() if awaits_review(saved_at, manual.get(key))}
