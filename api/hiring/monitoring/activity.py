"""Reads which item each candidate is working on, and counts the recorded signals, such as pastes. The number of queries does
not depend on the number of participations.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.monitoring.schemas import SignalCounts
from api.hiring.participations.models import Participation, ParticipationDraft, ParticipationItem, ParticipationSignal
from api.identity.accounts.models import AccountSession

Saved = dict[tuple[str, int], datetime]


async def activity_of(
    session: AsyncSession, rows: Sequence[Participation], items: dict[str, list[ParticipationItem]]
) -> dict[str, dict[str, Any]]:
    """Return three values for each participation, in a dictionary by participation ID. `at_work` is the position of the item
    that was last opened or saved, or None if no item has been opened. `last_seen` is the time of the candidate's last activity.
    `signals` contains the numbers of recorded signals.
    """
    ids = [row.id for row in rows]
    saved, counts = await _saved(session, ids), await _signals(session, ids)
    used = await _used(session, [row.account_id for row in rows])
    found = {}
    for row in rows:
        touched = {
            item.position: max(item.opened_at, saved.get((row.id, item.position), item.opened_at))
            for item in items[row.id]
            if item.opened_at
        }
        seen = (row.started_at, used.get(row.account_id, row.started_at), *touched.values())
        found[row.id] = {
            "at_work": max(touched, key=lambda position: touched[position], default=None),
            "last_seen": max(seen),
            "signals": counts[row.id],
        }
    return found


async def _saved(session: AsyncSession, ids: list[str]) -> Saved:
    columns = ParticipationDraft.participation_id, ParticipationDraft.position, ParticipationDraft.saved_at
    rows = await session.execute(select(*columns).where(ParticipationDraft.participation_id.in_(ids)))
    return {(participation, position): at for participation, position, at in rows}


async def _used(session: AsyncSession, accounts: list[str]) -> dict[str, datetime]:
    """Return when each account sent its last request, with a resolution of about a minute."""
    latest = select(AccountSession.account_id, func.max(AccountSession.last_used_at).label("at"))
    query = latest.where(AccountSession.account_id.in_(accounts)).group_by(AccountSession.account_id)
    return {row.account_id: row.at for row in await session.execute(query)}


async def _signals(session: AsyncSession, ids: list[str]) -> dict[str, SignalCounts]:
    table = ParticipationSignal
    sums = func.count(), func.coalesce(func.sum(table.size), 0), func.coalesce(func.max(table.size), 0)
    query = select(table.participation_id, table.kind, *sums).where(table.participation_id.in_(ids))
    found: dict[str, SignalCounts] = defaultdict(SignalCounts)
    for participation, kind, count, total, largest in await session.execute(
        query.group_by(table.participation_id, table.kind)
    ):
        counts = found[participation]
        if kind == "paste":
            counts.pastes, counts.pasted, counts.largest_paste = count, total, largest
        elif kind == "blur":
            counts.left = count
        elif kind == "device":
            counts.devices = count
    return found
