"""Moves a participation to the browser that started it last, and records changes of the device."""

from datetime import datetime, timedelta

from sqlalchemy import bindparam, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.participations import service
from api.hiring.participations.models import ParticipationSignal
from api.hiring.participations.service import LoadedParticipation
from api.identity.accounts.models import AccountSession
from api.identity.sessions.origin import Origin
from api.kit.ids import new_id

# A double click on the start button, or a retry after a lost response, sends a second request so soon after the first one.
REPEATED = timedelta(seconds=10)
# The query is built once, because building a statement costs more than running it, and hundreds of candidates may start in the
# same minute.
NEWEST_SESSION = select(func.max(AccountSession.id)).where(AccountSession.account_id == bindparam("account"))


async def take_over(session: AsyncSession, account_id: str, origin: Origin, moment: datetime) -> LoadedParticipation:
    """Make the candidate's newest session the only one that may work on the participation. The change of device is recorded if
    the plan says so.
    """
    row = await service.lock(session, account_id)
    assert row is not None, "it has just been started or found"
    before, row.device = row.device, await session.scalar(NEWEST_SESSION, {"account": account_id}) or ""
    run = await service.load(session, row)
    if before in ("", row.device) or "devices" not in run.plan.recorded:
        return run
    if not await _is_repeated_start(session, run, before, moment):
        signal = {"participation_id": row.id, "position": 0, "kind": "device", "at": moment, "size": 0}
        session.add(ParticipationSignal(id=new_id(), detail=origin.agent[:200], **signal))
    return run


async def _is_repeated_start(session: AsyncSession, run: LoadedParticipation, before: str, moment: datetime) -> bool:
    """Return whether the same browser has sent its start again before it could do anything with the session `before`."""
    if moment - run.row.started_at > REPEATED or any(item.opened_at for item in run.items):
        return False
    earlier, newer = await session.get(AccountSession, before), await session.get_one(AccountSession, run.row.device)
    return earlier is None or (earlier.agent, earlier.address) == (newer.agent, newer.address)
