"""Routes to read speed boards, entries and measurements, and to decide about measurements that were flagged."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from api.content.catalogue.catalogue import ChallengeNotFound
from api.content.catalogue.schemas import SlugInPath
from api.content.catalogue.service import CatalogueStoreDep
from api.identity.audit.service import Acting
from api.identity.sessions.current_account import Admin, Anybody, Caller
from api.judging.intake import service as submissions
from api.judging.intake.service import SubmissionNotFound
from api.kit.errors import BadCursor, CrossSite, Forbidden, NotSignedIn, errors
from api.kit.http.caching import NOT_MODIFIED, Has
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.kit.ids import Id
from api.practice.feeds import svg_images
from api.practice.leaderboards.rank_milestones import MilestonesDep
from api.practice.speed_boards import entry_page, measurement_progress, moderation, service
from api.practice.speed_boards.moderation_schemas import FlaggedMeasurement, FlaggedMeasurements, ReviewDecision
from api.practice.speed_boards.ranks import SpeedRanks
from api.practice.speed_boards.schemas import (
    OwnSpeed,
    SpeedBoardList,
    SpeedBoardPage,
    SpeedEntryPage,
    SubmissionMeasurement,
    WantedSpeedBoard,
)
from api.practice.speed_boards.svg_picture import picture

router = APIRouter(tags=["standings"], route_class=JsonRoute)
BOARDS = (ChallengeNotFound, service.NotScored, service.SpeedBoardNotFound)
Wanted = Annotated[WantedSpeedBoard, Query()]


@router.get("/boards/speed", response_model=SpeedBoardList, responses={**errors(), **NOT_MODIFIED})
async def list_speed_boards(
    db: DatabaseDep, store: CatalogueStoreDep, milestones: MilestonesDep, has: Has
) -> SpeedBoardList | Response:
    """All challenges whose accepted answers are measured, each with the first entry of its board."""
    async with db.read() as session:
        found = SpeedBoardList(items=await service.summaries(SpeedRanks(session, milestones), store.catalogue))
    return has.has(found.model_dump_json()) or found


@router.get(
    "/boards/speed/{slug}",
    response_model=SpeedBoardPage,
    responses={**errors(NotSignedIn, BadCursor, *BOARDS), **NOT_MODIFIED},
)
async def get_speed_board(
    slug: SlugInPath,
    wanted: Wanted,
    viewer: Anybody,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    milestones: MilestonesDep,
    has: Has,
) -> SpeedBoardPage | Response:
    """The speed board of a scored challenge: accounts with their best measured answers, ordered by the upper ends of the
    intervals. Entries whose intervals overlap can share a place. Ranks on boards with thousands of entries may be some seconds
    old, and at most 30 seconds.
    """
    challenge = service.scored_challenge(store.catalogue, slug)
    admin = viewer is not None and viewer.is_admin
    async with db.read() as session:
        page = await service.page(
            SpeedRanks(session, milestones), challenge, wanted, viewer.account if viewer else None, admin=admin
        )
    return has.has(page.model_dump_json()) or page


@router.get("/boards/speed/{slug}/me", response_model=OwnSpeed, responses=errors(NotSignedIn, *BOARDS))
async def get_own_speed(
    slug: SlugInPath,
    wanted: Wanted,
    caller: Caller,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    milestones: MilestonesDep,
) -> OwnSpeed:
    """Your place on a speed board, the places around it, and your last measurements of this challenge."""
    challenge = service.scored_challenge(store.catalogue, slug)
    async with db.read() as session:
        return await service.own(SpeedRanks(session, milestones), challenge, wanted, caller.account.id)


@router.get(
    "/boards/speed/{slug}/embed.svg", response_class=Response, responses={**errors(*BOARDS), **svg_images.RESPONSES}
)
async def get_speed_picture(
    slug: SlugInPath, db: DatabaseDep, store: CatalogueStoreDep, milestones: MilestonesDep, has: Has
) -> Response:
    """The first places of a speed board as a picture, to be embedded in another page."""
    challenge = service.scored_challenge(store.catalogue, slug)
    async with db.read() as session:
        page = await service.page(
            SpeedRanks(session, milestones), challenge, WantedSpeedBoard(limit=10), None, admin=False
        )
    return has.public(picture(page).encode(), svg_images.MEDIA_TYPE, svg_images.HEADERS)


@router.get(
    "/speed-entries/{entry_id}",
    response_model=SpeedEntryPage,
    responses={**errors(NotSignedIn, entry_page.SpeedEntryNotFound), **NOT_MODIFIED},
)
async def get_speed_entry(
    entry_id: Id, viewer: Anybody, db: DatabaseDep, store: CatalogueStoreDep, milestones: MilestonesDep, has: Has
) -> SpeedEntryPage | Response:
    """A measured answer: its cost for each size compared with the baseline, and its measurements. Everybody can see entries
    with a place. Only you see your other measured answers.
    """
    async with db.read() as session:
        found = await entry_page.entry_page(SpeedRanks(session, milestones), entry_id, viewer, store.catalogue)
    return (None if found.own else has.has(found.model_dump_json())) or found


@router.get(
    "/submissions/{submission_id}/measurement",
    response_model=SubmissionMeasurement,
    responses=errors(NotSignedIn, SubmissionNotFound),
)
async def get_measurement(
    submission_id: Id, caller: Caller, db: DatabaseDep, milestones: MilestonesDep
) -> SubmissionMeasurement:
    """How far the measurement of a submission is. Ask again every second or two while it is `waiting`, `running` or
    `confirming`.
    """
    async with db.read() as session:
        await submissions.find(session, submission_id, caller)
        ranks = SpeedRanks(session, milestones)
        return SubmissionMeasurement(measurement=await measurement_progress.of_submission(ranks, submission_id))


@router.get("/admin/measurements", response_model=FlaggedMeasurements, responses=errors(NotSignedIn, Forbidden))
async def list_flagged_measurements(_: Admin, db: DatabaseDep) -> FlaggedMeasurements:
    """Measurements that a moderator has to look at, and the last decisions."""
    async with db.read() as session:
        return await moderation.flagged(session)


@router.put(
    "/admin/measurements/{measurement_id}/review",
    response_model=FlaggedMeasurement,
    responses=errors(CrossSite, NotSignedIn, Forbidden, moderation.MeasurementNotFound, moderation.NothingToAccept),
)
async def review_measurement(
    measurement_id: Id, body: ReviewDecision, actor: Acting, db: DatabaseDep
) -> FlaggedMeasurement:
    """Accept a flagged measurement, or withdraw a measured answer from its board."""
    async with db.write() as session:
        return await moderation.decide(session, actor, measurement_id, body)
