"""The route with which candidates hand in an item that has a follow-up: a changed requirement for their own answer."""

from datetime import datetime

from fastapi import APIRouter
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import CatalogueStore
from api.hiring.participations import service
from api.hiring.participations.models import ParticipationDraft, ParticipationItem
from api.hiring.participations.service import LoadedParticipation
from api.hiring.taking import views
from api.hiring.taking.candidate_request import FromCandidate, Position
from api.hiring.taking.routes import WORK, item_of
from api.hiring.taking.schemas import ParticipationView
from api.kit.errors import ApiError, errors
from api.kit.http.json_body import JsonRoute
from api.settings import Settings

router = APIRouter(tags=["participations"], route_class=JsonRoute)


class NoFollowUp(ApiError):
    """The item has no follow-up, so it is not handed in on its own."""

    status, code = 409, "no_follow_up"


@router.post("/participation/items/{position}/hand-in", responses=errors(*WORK, NoFollowUp))
async def hand_in_item(position: Position, work_request: FromCandidate) -> ParticipationView:
    """Hand in an item that has a follow-up. Its last draft is submitted, the item is closed for good, and the follow-up becomes
    the next item. Handing in again changes nothing.
    """
    async with work_request.run() as (session, run):
        item = item_of(run, position, "challenge")
        await hand_in(session, run, item, work_request.settings, work_request.store, work_request.moment)
        await session.flush()
        shown = await views.participation(session, run, work_request.store, work_request.moment)
    work_request.dispatcher.wake()
    return shown


async def hand_in(
    session: AsyncSession,
    run: LoadedParticipation,
    item: ParticipationItem,
    settings: Settings,
    store: CatalogueStore,
    moment: datetime,
) -> None:
    """Close an item for good and open its follow-up. The draft is submitted, as at the deadline. Handing in again changes
    nothing. Raises `NoFollowUp`, `TimeIsOver`.
    """
    if not run.has_follow_up(item.position):
        raise NoFollowUp("This task has no follow-up. You can work on it until you finish the assessment.")
    if item.handed_in_at is not None:
        return
    service.require_time(run, item, moment)
    draft = await session.get(ParticipationDraft, (run.row.id, item.position))
    if draft is not None:
        await service.send_last(session, run, settings, store, draft)
    item.handed_in_at = moment
