"""Stores the versions of a plan. When an assessment is opened, this module pins the challenges and quizzes of its plan: it
stores a digest of each, which identifies the exact version that candidates get. When the first candidate starts, it freezes the
version of the plan.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from sqlalchemy import bindparam, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.catalogue import Catalogue
from api.content.catalogue.service import CatalogueStore
from api.content.catalogue.variants import Variant
from api.hiring.assessments.models import Assessment, AssessmentVersion
from api.hiring.plans import plan as plans
from api.hiring.plans.plan import Plan
from api.hiring.plans.warnings import question_problems
from api.kit.db.database import now
from api.kit.errors import ApiError, FieldError

# These queries run at every start of a participation, so they are built only once. With `populate_existing`, a version is read
# from the database even if the session has loaded it before, because another request may have changed the version while the
# caller waited for the lock.
NEWEST = (
    select(AssessmentVersion)
    .where(AssessmentVersion.assessment_id == bindparam("assessment"))
    .order_by(AssessmentVersion.number.desc())
    .limit(1)
    .execution_options(populate_existing=True)
)
HELD = select(Assessment.id).where(Assessment.id == bindparam("assessment")).with_for_update()


class NoPlan(ApiError):
    status, code = 409, "no_plan"

    def __init__(self) -> None:
        super().__init__("This assessment has no plan yet. Save one first.")


class PlanUnusable(ApiError):
    """The plan has problems, or contains something that no longer exists."""

    status, code = 422, "plan_unusable"


@dataclass(frozen=True)
class PinnedPlan:
    """A version of a plan, and the digests of its items and their variants (see `plan.digests`)."""

    number: int
    plan: Plan
    digests: dict[str, str]


async def newest(session: AsyncSession, assessment_id: str) -> AssessmentVersion | None:
    """Return the newest version of a plan, or None if no plan was saved yet. Candidates who start now get this version."""
    found: AssessmentVersion | None = await session.scalar(NEWEST, {"assessment": assessment_id})
    return found


def plan_of(version: AssessmentVersion) -> Plan:
    """Return the plan of a version. The object is cached and shared, so callers must not change it."""
    return _read(version.plan)


@lru_cache(maxsize=200)
def _read(plan: str) -> Plan:
    return Plan.model_validate_json(plan)


def digests_of(version: AssessmentVersion) -> dict[str, str]:
    """Return the digests that were pinned when the assessment was opened (see `plan.digests`)."""
    pinned: dict[str, str] = json.loads(version.digests)
    return pinned


def as_opened(
    served: Catalogue, version: AssessmentVersion | None, store: CatalogueStore, *, reopening: bool = False
) -> Catalogue:
    """Return the catalogue `served` with each challenge that the assessment has pinned in its pinned version, with its pinned
    variants. If no variants are pinned, those that are served belong to it as long as the challenge has not changed.

    With `reopening`, challenges that are still in `served` keep the version that they have there. Only challenges that are no
    longer in `served` are added in their pinned version.
    """
    pinned = {}
    digests = digests_of(version) if version else {}
    for key, digest in digests.items():
        kind, _, name = key.partition(":")
        challenge = store.version(digest) if kind == "challenge" else None
        if challenge is not None and not (reopening and name in served.by_slug):
            known = served.by_slug.get(name)
            same = known.variants if known and known.package.digest == digest else ()
            pinned[name] = replace(challenge, variants=_variants(name, digests, store) or same)
    return replace(served, by_slug={**served.by_slug, **pinned}) if pinned else served


def _variants(challenge: str, digests: Mapping[str, str], store: CatalogueStore) -> tuple[Variant, ...]:
    """Return the pinned variants of a challenge. Those that are no longer stored are left out."""
    prefix = f"variant:{challenge}:"
    found = [(key.removeprefix(prefix), digest) for key, digest in digests.items() if key.startswith(prefix)]
    stored = [(name, store.version(digest)) for name, digest in found]
    return tuple(Variant(name, each.variant, each.package.digest) for name, each in stored if each is not None)


def pin(version: AssessmentVersion, catalogue: Catalogue) -> None:
    """Store the digests that the plan's challenges and quizzes have in this catalogue. Candidates then get these versions."""
    version.digests = json.dumps(plans.digests(plan_of(version), catalogue))


async def keep(session: AsyncSession, assessment: Assessment, plan: Plan) -> AssessmentVersion:
    """Store a plan in the newest version or, if somebody has started with that version, in a new version. The caller must have
    locked the assessment.
    """
    assessment.version += 1
    version = await newest(session, assessment.id)
    if version is None or version.frozen_at is not None or version.tested_at is not None:
        number, digests = (version.number + 1, version.digests) if version else (1, "{}")
        version = AssessmentVersion(
            assessment_id=assessment.id, number=number, digests=digests, frozen_at=None, tested_at=None
        )
        session.add(version)
    version.plan, version.created_at = plan.model_dump_json(), now()
    return version


async def freeze(
    session: AsyncSession, assessment: Assessment, catalogue: Callable[[], Awaitable[Catalogue]], store: CatalogueStore
) -> AssessmentVersion:
    """Freeze the newest version when a candidate starts. Its items keep the versions that were pinned when the assessment was
    opened.

    Raises `NoPlan`, and `PlanUnusable` if an item is neither pinned nor in the catalogue.
    """
    # A concurrent save of the plan waits for this lock, and then creates the next version.
    await session.execute(HELD, {"assessment": assessment.id})
    version = await newest(session, assessment.id)
    if version is None:
        raise NoPlan
    if version.frozen_at is None:
        opened = as_opened(await catalogue(), version, store)
        require_usable(plan_of(version), opened)
        pin(version, opened)
        version.frozen_at = now()
    return version


async def try_out(
    session: AsyncSession, assessment: Assessment, served: Catalogue, store: CatalogueStore
) -> PinnedPlan:
    """Return the newest version when a member of the team starts a test drive, so that its plan no longer changes. Its items have
    the versions that a candidate would get now. The version is not frozen: candidates have not started with it.

    Raises `NoPlan`, `PlanUnusable`.
    """
    await session.execute(HELD, {"assessment": assessment.id})
    version = await newest(session, assessment.id)
    if version is None:
        raise NoPlan
    opened = as_opened(served, version, store)
    require_usable(plan_of(version), opened)
    version.tested_at = version.tested_at or now()
    return PinnedPlan(version.number, plan_of(version), plans.digests(plan_of(version), opened))


def require_usable(plan: Plan, catalogue: Catalogue, more: Sequence[FieldError] = ()) -> None:
    """Raise `PlanUnusable` if the plan has problems, or if the caller passes further problems in `more`. The error lists all of
    them.
    """
    if found := [*plans.check(plan, catalogue), *question_problems(plan), *more]:
        others = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise PlanUnusable(f"{found[0].field}: {found[0].message}{others}. Change the plan.", fields=found)
