"""Lets admins decide about measurements: those that are too good to be true, and those that disagree with each other."""

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts.models import Account
from api.identity.audit import service as audit
from api.identity.audit.service import Action, Actor
from api.kit.db.database import now
from api.kit.errors import ApiError
from api.practice.leaderboards.models import Listing, shown_name
from api.practice.measurements import entries
from api.practice.measurements.answer_estimates import estimate_of
from api.practice.measurements.models import (
    ACCEPTED,
    REVIEWED_FLAGS,
    WITHDRAWN,
    Measurement,
    SpeedBoard,
    Status,
)
from api.practice.speed_boards.moderation_schemas import FlaggedMeasurement, FlaggedMeasurements, ReviewDecision
from api.practice.speed_boards.schemas import interval_view

LISTED = 100


class MeasurementNotFound(ApiError):
    """There is no finished measurement with this ID."""

    status, code = 404, "measurement_not_found"


class NothingToAccept(ApiError):
    """The measurement is neither flagged nor withdrawn."""

    status, code = 409, "nothing_to_accept"


async def flagged(session: AsyncSession) -> FlaggedMeasurements:
    """Return the measurements that wait for a decision, and those that were decided last."""
    waiting = with_names().where(Measurement.flag.in_(REVIEWED_FLAGS), Measurement.review == "")
    decided = with_names().where(Measurement.review != "").order_by(Measurement.reviewed_at.desc())
    return FlaggedMeasurements(
        open=[
            await _view(session, *row) for row in await session.execute(waiting.order_by(Measurement.id).limit(LISTED))
        ],
        decided=[await _view(session, *row) for row in await session.execute(decided.limit(LISTED))],
    )


async def decide(
    session: AsyncSession, actor: Actor, measurement_id: str, decision: ReviewDecision
) -> FlaggedMeasurement:
    """Accept a measurement, or withdraw its answer from the board. Raises `MeasurementNotFound`, `NothingToAccept`."""
    query = with_names().where(Measurement.id == measurement_id, Measurement.status == Status.MEASURED)
    found = (await session.execute(query.with_for_update(of=Measurement))).one_or_none()
    if found is None:
        raise MeasurementNotFound("There is no finished measurement of an answer with this ID.")
    row, name = found
    if decision.decision == "accept" and row.flag not in REVIEWED_FLAGS and row.review != WITHDRAWN:
        raise NothingToAccept("This measurement is neither flagged nor withdrawn, so there is nothing to accept.")
    row.review = ACCEPTED if decision.decision == "accept" else WITHDRAWN
    row.review_reason, row.reviewed_at = decision.reason, now()
    action = Action.ACCEPT_MEASUREMENT if row.review == ACCEPTED else Action.WITHDRAW_MEASUREMENT
    audit.record(session, actor, action, row.id, challenge=row.slug, owner=row.account_id or "", reason=decision.reason)
    await session.flush()
    board = await session.get(SpeedBoard, row.board_id) if row.board_id else None
    if board is not None and row.account_id is not None:
        await entries.refresh(session, board, row.account_id)
        await entries.confirm_top(session, board)
    return await _view(session, row, name)


def with_names() -> Select[Measurement, str]:
    """Return a query for the measurements of accounts with the names under which the accounts appear."""
    query = select(Measurement, shown_name()).join(Account, Account.id == Measurement.account_id)
    return query.outerjoin(Listing, Listing.account_id == Account.id)


async def _view(session: AsyncSession, row: Measurement, name: str) -> FlaggedMeasurement:
    board = await session.get(SpeedBoard, row.board_id) if row.board_id else None
    interval = interval_view(estimate_of(row).interval(board.noise)) if board and row.log_ratio is not None else None
    return FlaggedMeasurement.model_validate(
        {
            "id": row.id,
            "slug": row.slug,
            "account_id": row.account_id,
            "name": name,
            "submission_id": row.submission_id,
            "board_id": row.board_id,
            "flag": row.flag,
            "interval": interval,
            "review": row.review,
            "reason": row.review_reason,
            "at": row.reviewed_at or row.ended_at or row.asked_at,
        }
    )
