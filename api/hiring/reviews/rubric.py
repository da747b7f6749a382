"""Reads and saves the rubric of an assessment. A save must name the version that the member has edited. Changing a rubric never
removes a score.
"""

import hashlib
import json
from collections.abc import Sequence

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.review_records.models import RubricCriterion, RubricScore
from api.hiring.reviews.schemas import Criterion, CriterionView, NewRubric, RubricView
from api.kit.db.database import now
from api.kit.errors import ApiError
from api.kit.ids import new_id

# The maximum number of criteria per assessment, including criteria that were removed from the rubric but have scores.
KEPT = 100


class RubricChanged(ApiError):
    """Another member saved the rubric in the meantime."""

    status, code = 409, "rubric_changed"

    def __init__(self) -> None:
        super().__init__(
            "Another member changed this rubric in the meantime. Nothing that was saved is lost. Load it again, then repeat "
            "your change."
        )


class CriterionNotFound(ApiError):
    status, code = 404, "criterion_not_found"

    def __init__(self) -> None:
        super().__init__("The rubric of this assessment has no criterion with this ID.")


class TooManyCriteria(ApiError):
    """The assessment has reached the maximum number of criteria, including removed ones with scores."""

    status, code = 409, "too_many_criteria"


async def criteria_of(session: AsyncSession, assessment_id: str) -> Sequence[RubricCriterion]:
    """Return all criteria of an assessment. Criteria that were removed from the rubric come last."""
    return _in_order((await session.scalars(_of(assessment_id))).all())


def view(rows: Sequence[RubricCriterion]) -> RubricView:
    """Build the view of the current rubric. Its version is a hash of its content."""
    shown = [CriterionView.model_validate(row) for row in rows if row.retired_at is None]
    content = json.dumps([one.model_dump() for one in shown])
    return RubricView(version=hashlib.sha256(content.encode()).hexdigest()[:16] if shown else "0", criteria=shown)


async def save(session: AsyncSession, assessment_id: str, wanted: NewRubric) -> RubricView:
    """Replace the rubric. The caller must have locked the assessment. Raises `RubricChanged`, `CriterionNotFound`,
    `TooManyCriteria`.
    """
    # Lock the criteria. If another request is storing a score for one of them, this waits until that score is committed. The
    # criterion is then kept, because it has a score.
    there = _in_order((await session.scalars(_of(assessment_id).with_for_update())).all())
    if view(there).version != wanted.version:
        raise RubricChanged
    by_id = {row.id: row for row in there if row.retired_at is None}
    kept = [one.id for one in wanted.criteria if one.id]
    if len(set(kept)) < len(kept) or not set(kept) <= by_id.keys():
        raise CriterionNotFound
    if len(there) + len(wanted.criteria) - len(kept) > KEPT:
        raise TooManyCriteria(f"An assessment keeps at most {KEPT} criteria, including removed ones with scores.")
    await _remove(session, [row for row in by_id.values() if row.id not in kept])
    for position, one in enumerate(wanted.criteria):
        _put(session, assessment_id, one, position, by_id.get(one.id or ""))
    await session.flush()
    return view(await criteria_of(session, assessment_id))


def _of(assessment_id: str) -> Select[RubricCriterion]:
    query = select(RubricCriterion).where(RubricCriterion.assessment_id == assessment_id)
    return query.order_by(RubricCriterion.position, RubricCriterion.id)


def _in_order(rows: Sequence[RubricCriterion]) -> list[RubricCriterion]:
    return sorted(rows, key=lambda row: row.retired_at is not None)


async def _remove(session: AsyncSession, rows: list[RubricCriterion]) -> None:
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
