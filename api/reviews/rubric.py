"""The rubric of an assessment. Whoever saves it says which version he has seen; no change ever takes a score away."""

import hashlib
import json
from collections.abc import Sequence

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.db import now
from api.errors import ApiError
from api.ids import new_id
from api.reviews.models import RubricCriterion, RubricScore
from api.reviews.schemas import Criterion, CriterionView, NewRubric, RubricView

# With those that were taken out and have scores.
KEPT = 100


class RubricChanged(ApiError):
    """Somebody else saved since."""

    status, code = 409, "rubric_changed"

    def __init__(self) -> None:
        super().__init__("Somebody else changed this rubric meanwhile. Load it again, then make your change.")


class CriterionNotFound(ApiError):
    """The rubric has no such criterion."""

    status, code = 404, "criterion_not_found"

    def __init__(self) -> None:
        super().__init__("The rubric of this assessment has no criterion with this id.")


class TooManyCriteria(ApiError):
    """As many as are kept, those with scores that were taken out included."""

    status, code = 409, "too_many_criteria"


async def criteria_of(session: AsyncSession, assessment_id: str) -> Sequence[RubricCriterion]:
    """Every criterion of an assessment, those that were taken out last."""
    return _in_order((await session.scalars(_of(assessment_id))).all())


def view(rows: Sequence[RubricCriterion]) -> RubricView:
    """The rubric as it is now. Its version names its content."""
    shown = [CriterionView.model_validate(row) for row in rows if row.retired_at is None]
    told = json.dumps([one.model_dump() for one in shown])
    return RubricView(version=hashlib.sha256(told.encode()).hexdigest()[:16] if shown else "0", criteria=shown)


async def save(session: AsyncSession, assessment_id: str, wanted: NewRubric) -> RubricView:
    """Make the rubric this one. Lock the assessment before. Raises `RubricChanged`, `CriterionNotFound`, `TooManyCriteria`."""
    # Whoever scores by one of them meanwhile comes first: then it is not deleted.
    there = _in_order((await session.scalars(_of(assessment_id).with_for_update())).all())
    if view(there).version != wanted.version:
        raise RubricChanged
    by_id = {row.id: row for row in there if row.retired_at is None}
    kept = [one.id for one in wanted.criteria if one.id]
    if len(set(kept)) < len(kept) or not set(kept) <= by_id.keys():
        raise CriterionNotFound
    if len(there) + len(wanted.criteria) - len(kept) > KEPT:
        raise TooManyCriteria(f"An assessment keeps at most {KEPT} criteria, old ones with scores included.")
    await _take_out(session, [row for row in by_id.values() if row.id not in kept])
    for position, one in enumerate(wanted.criteria):
        _put(session, assessment_id, one, position, by_id.get(one.id or ""))
    await session.flush()
    return view(await criteria_of(session, assessment_id))


def _of(assessment_id: str) -> Select[RubricCriterion]:
    query = select(RubricCriterion).where(RubricCriterion.assessment_id == assessment_id)
    return query.order_by(RubricCriterion.position, RubricCriterion.id)


def _in_order(rows: Sequence[RubricCriterion]) -> list[RubricCriterion]:
    return sorted(rows, key=lambda row: row.retired_at is not None)


async def _take_out(session: AsyncSession, rows: list[RubricCriterion]) -> None:
    used = select(RubricScore.criterion_id).where(RubricScore.criterion_id.in_([row.id for row in rows]))
    scored = set(await session.scalars(used))
    for row in rows:
        if row.id in scored:
            row.retired_at = now()
        else:
            await session.delete(row)


def _put(session: AsyncSession, assessment_id: str, one: Criterion, position: int, row: RubricCriterion | None) -> None:
    if row is None:
        row = RubricCriterion(id=new_id(), assessment_id=assessment_id, retired_at=None)
        session.add(row)
    row.position, row.title, row.description, row.levels = position, one.title, one.description, one.levels
