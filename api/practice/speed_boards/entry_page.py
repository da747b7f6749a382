"""Builds the page of a measured answer: its cost for each size, its measurements, and where its time goes."""

import math
from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from api.content.catalogue.catalogue import Catalogue
from api.identity.sessions.credentials import Identity
from api.kit.errors import ApiError
from api.practice.measurements import entries
from api.practice.measurements.answer_estimates import Answer, counts, estimate_of
from api.practice.measurements.models import LIBRARY, Measurement, SpeedBoard, Status
from api.practice.measurements.queueing import current_board, plans_of
from api.practice.sharing.models import SharedAnswer
from api.practice.speed_boards import measurement_progress, service
from api.practice.speed_boards.ranks import Place, SpeedRanks
from api.practice.speed_boards.schemas import (
    Curve,
    MeasuredSession,
    OperatorView,
    Point,
    SpeedEntryPage,
    interval_view,
)
from grader.contract.measurement import Measurement as Result

Name = Literal["answer", "baseline", "library", "floor"]
HOUSE_NAMES = {"baseline": "Baseline", "library": "torch's own implementation", "best": "Best answer of the authors"}


class SpeedEntryNotFound(ApiError):
    """There is no such entry, or only its owner may see it."""

    status, code = 404, "speed_entry_not_found"


async def entry_page(
    ranks: SpeedRanks, measurement_id: str, viewer: Identity | None, catalogue: Catalogue
) -> SpeedEntryPage:
    """Return the page of a measured answer. Everybody may see entries that a board shows, and the challenge's own answers. Other
    measurements are seen by their owner and by admins only. Raises `SpeedEntryNotFound`.
    """
    session = ranks.session
    row = await _measured(session, measurement_id)
    board = await session.get(SpeedBoard, row.board_id) if row and row.board_id else None
    challenge = catalogue.by_slug.get(board.slug) if board else None
    if row is None or board is None or challenge is None:
        raise _not_found()
    place = await ranks.of_account(board.id, row.account_id) if row.account_id else None
    own = viewer is not None and viewer.account.id == row.account_id
    if not (row.role or own or (viewer and viewer.is_admin) or _is_shown(place, row)):
        raise _not_found()
    answer = await measurement_progress.answer_of(session, row)
    state, reason = (
        measurement_progress.state_of(answer, place.entry if place else None) if row.account_id else ("ranked", "")
    )
    current = await current_board(session, board.slug, plans_of(catalogue).get(board.slug, ""))
    results = await _results(session, answer)
    estimate = answer.estimate or estimate_of(row)
    return SpeedEntryPage.model_validate(
        {
            "id": row.id,
            "slug": board.slug,
            "title": challenge.package.info.title,
            "quantity": board.quantity,
            "board": service.board_view(board, current),
            "role": row.role,
            "account_id": row.account_id,
            "name": place.name if place else HOUSE_NAMES.get(row.role, ""),
            "own": own,
            "state": state,
            "reason": reason if own or (viewer and viewer.is_admin) else "",
            "rank": place.rank if place and place.entry.measurement_id == row.id else None,
            "total": await ranks.size(board.id),
            "interval": interval_view(estimate.interval(board.noise)),
            "sessions": [
                MeasuredSession(
                    interval=interval_view(estimate_of(each).interval(board.noise)),
                    pairs=result.pairs,
                    wall_s=result.wall_s,
                    at=each.ended_at or each.asked_at,
                    counts=counts(each),
                )
                for each, result in results
            ],
            "curves": await _curves(session, board, row, results),
            "operators": [
                OperatorView(name=each.name[:200], share=each.share) for each in results[-1][1].operators[:20]
            ],
            "shared_id": await _shared(session, row),
            "submission_id": row.submission_id if own else None,
        }
    )


def exponent(points: Sequence[Point]) -> float | None:
    """Return the slope of the points on logarithmic axes, by least squares. None if there are fewer than two."""
    logs = [(math.log(point.size), math.log(point.value)) for point in points if point.value > 0]
    if len(logs) < 2:
        return None
    middle = [math.fsum(axis) / len(logs) for axis in zip(*logs, strict=True)]
    spread = math.fsum((x - middle[0]) ** 2 for x, _ in logs)
    return math.fsum((x - middle[0]) * (y - middle[1]) for x, y in logs) / spread if spread else None


def _not_found() -> SpeedEntryNotFound:
    return SpeedEntryNotFound("There is no entry at this address, or only its owner can see it.")


def _is_shown(place: Place | None, row: Measurement) -> bool:
    return place is not None and place.entry.shown and place.entry.measurement_id == row.id


async def _measured(session: AsyncSession, measurement_id: str) -> Measurement | None:
    query = select(Measurement).where(Measurement.id == measurement_id, Measurement.status == Status.MEASURED)
    row: Measurement | None = await session.scalar(query)
    return row


async def _results(session: AsyncSession, answer: Answer) -> list[tuple[Measurement, Result]]:
    here = [row.id for row in answer.rows if row.board_id == answer.board_id and row.status == Status.MEASURED]
    query = select(Measurement).where(Measurement.id.in_(here)).order_by(Measurement.id)
    query = query.options(undefer(Measurement.result)).execution_options(populate_existing=True)
    return [(row, _decoded(row.result)) for row in await session.scalars(query)]


def _decoded(stored: str | None) -> Result:
    return msgspec.json.decode((stored or "").encode(), type=Result)


async def _curves(
    session: AsyncSession, board: SpeedBoard, row: Measurement, results: list[tuple[Measurement, Result]]
) -> list[Curve]:
    result = results[-1][1]
    found: list[tuple[Name, Any]] = [("answer", "answer"), ("baseline", "baseline"), ("floor", "floor")]
    curves = [_curve(name, result, attribute) for name, attribute in found]
    if row.role != LIBRARY and (library := (await entries.house(session, board.id)).get(LIBRARY)):
        query = select(Measurement.result).where(Measurement.id == library[0].id)
        stored = (await session.scalars(query)).one()
        curves.insert(2, _curve("library", _decoded(stored), "answer"))
    return [curve for curve in curves if any(point.value > 0 for point in curve.points)]


def _curve(name: Name, result: Result, attribute: str) -> Curve:
    points = [Point(size=size.size, value=getattr(size, attribute)) for size in result.sizes]
    return Curve(name=name, points=points, exponent=exponent(points))


async def _shared(session: AsyncSession, row: Measurement) -> str | None:
    """Return the ID of the shared answer if the owner lists it for all who can read the editorial."""
    query = select(SharedAnswer.id).where(SharedAnswer.submission_id == row.submission_id, SharedAnswer.listed)
    found: str | None = await session.scalar(query.where(SharedAnswer.hidden_at.is_(None)))
    return found
