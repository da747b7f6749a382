"""Versions of a plan: saving, reading, and freezing at the first start."""

import json
from collections.abc import Awaitable, Callable
from functools import lru_cache

from sqlalchemy import bindparam, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.assessments import plan as plans
from api.assessments.models import Assessment, AssessmentVersion
from api.assessments.plan import Plan
from api.catalogue.service import Catalogue
from api.db import now
from api.errors import ApiError

# Built once: every start asks for both. The version is told as it is now: whoever waited for a lock has read it before.
NEWEST = (
    select(AssessmentVersion)
    .where(AssessmentVersion.assessment_id == bindparam("assessment"))
    .order_by(AssessmentVersion.number.desc())
    .limit(1)
    .execution_options(populate_existing=True)
)
HELD = select(Assessment.id).where(Assessment.id == bindparam("assessment")).with_for_update()


class NoPlan(ApiError):
    """Nothing was planned yet."""

    status, code = 409, "no_plan"

    def __init__(self) -> None:
        super().__init__("This assessment has no plan yet. Save one first.")


class PlanUnusable(ApiError):
    """What the plan names is not there any more, or was never complete."""

    status, code = 422, "plan_unusable"


async def newest(session: AsyncSession, assessment_id: str) -> AssessmentVersion | None:
    """The version that a candidate who starts now gets."""
    found: AssessmentVersion | None = await session.scalar(NEWEST, {"assessment": assessment_id})
    return found


def plan_of(version: AssessmentVersion) -> Plan:
    """The plan of a version; nobody changes it. Every draft that is kept asks for it."""
    return _read(version.plan)


@lru_cache(maxsize=200)
def _read(plan: str) -> Plan:
    return Plan.model_validate_json(plan)


def digests_of(version: AssessmentVersion) -> dict[str, str]:
    """What was pinned when the version was frozen: digests by `kind:name`."""
    pinned: dict[str, str] = json.loads(version.digests)
    return pinned


async def keep(session: AsyncSession, assessment: Assessment, plan: Plan) -> None:
    """Save a plan: in place of the newest version, or, when that is frozen, as the next one. Lock the assessment before."""
    assessment.version += 1
    version = await newest(session, assessment.id)
    if version is None or version.frozen_at is not None:
        number = 1 if version is None else version.number + 1
        version = AssessmentVersion(assessment_id=assessment.id, number=number, digests="{}", frozen_at=None)
        session.add(version)
    version.plan, version.created_at = plan.model_dump_json(), now()


async def freeze(
    session: AsyncSession, assessment: Assessment, catalogue: Callable[[], Awaitable[Catalogue]]
) -> AssessmentVersion:
    """The newest version, which never changes from now on: somebody starts. At the first start the digests of all that it
    can draw are pinned. Raises `NoPlan`, and `PlanUnusable` if something of it is not served any more.
    """
    # Whoever saves a plan meanwhile waits, and then makes the next version.
    await session.execute(HELD, {"assessment": assessment.id})
    version = await newest(session, assessment.id)
    if version is None:
        raise NoPlan
    if version.frozen_at is None:
        plan, served = plan_of(version), await catalogue()
        require_usable(plan, served)
        version.digests, version.frozen_at = json.dumps(plans.digests(plan, served)), now()
    return version


def require_usable(plan: Plan, catalogue: Catalogue) -> None:
    """Nothing if a plan can be used. Raises `PlanUnusable`, which names everything that is in the way."""
    if found := plans.check(plan, catalogue):
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise PlanUnusable(f"{found[0].field}: {found[0].message}{more}. Change the plan.", fields=found)
