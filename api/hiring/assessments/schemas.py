"""Request and response bodies of assessments, for the members of a team."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from api.content.catalogue.catalogue import Catalogue
from api.content.catalogue.schemas import ChallengeCard
from api.hiring.assessments.models import Assessment, AssessmentVersion
from api.hiring.assessments.versions import digests_of, plan_of
from api.hiring.plans.plan import (
    EXAMPLE,
    AssistantPolicy,
    Kind,
    Plan,
    Recorded,
    Title,
    Verdicts,
    check,
    digests,
    question_of,
)
from api.hiring.plans.random_items import draw, drawn_digest
from api.hiring.plans.totals import Total, total
from api.hiring.plans.warnings import question_problems, warnings, window_over
from api.kit.db.database import now
from api.kit.errors import ErrorBody, FieldError

AssessmentState = Literal["draft", "open", "archived"]


class NewAssessment(BaseModel):
    """The name of a new assessment. The plan is optional and can be saved later."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"name": "Research engineer, first round", "plan": EXAMPLE}}
    )
    name: Title
    plan: Plan | None = None


class NamedAssessment(BaseModel):
    """The new name of an assessment."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"name": "Research engineer, second round"}}
    )
    name: Title


class NewPlan(BaseModel):
    """The new plan, and the version of the assessment that it is based on."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"version": 1, "plan": EXAMPLE}})
    version: Annotated[int, Field(strict=True, ge=0, le=2**31 - 1)]
    plan: Plan


class AssessmentCard(BaseModel):
    """An assessment in a list. `created_by` is the name of the member who created it, or null if that member's account was
    deleted.
    """

    id: str
    name: str
    state: AssessmentState
    version: int
    created_by: str | None
    created_at: datetime


class AssessmentView(AssessmentCard):
    """An assessment with the newest version of its plan. `number` is the number of this version, or 0 if no plan was saved yet.
    If `frozen` is true, a candidate has started with this version, and the next save creates a new version. `version` (the
    number of saves) increases with every save.

    `problems` prevent the assessment from being opened. `warnings` do not, but should be read before candidates are invited.
    `pinned` lists the challenges and quizzes (as `kind:name`) whose versions were fixed when the assessment was opened.
    """

    number: int
    frozen: bool
    plan: Plan | None
    problems: list[FieldError]
    warnings: list[FieldError]
    pinned: list[str]
    total: Total | None


class ReservedChallenges(BaseModel):
    """The challenges that are reserved for assessments."""

    items: list[ChallengeCard]


class VariantCard(BaseModel):
    """A variant of a challenge. `summary` says what distinguishes it from the others."""

    name: str
    summary: str


class VariedChallenge(BaseModel):
    """A challenge that has variants."""

    slug: str
    variants: list[VariantCard]


class ChallengeVariants(BaseModel):
    """The challenges that have variants."""

    items: list[VariedChallenge]


class AssessmentConflict(ErrorBody):
    """The response if another member has saved the assessment in the meantime. `assessment` is what that member saved."""

    assessment: AssessmentView


class PreviewItem(BaseModel):
    """A task that a candidate with the given seed would get. A follow-up comes after the item that it follows. `variant` says
    which variant of the challenge it is; it is empty if the plan draws no variants.
    """

    key: str
    kind: Kind
    name: str
    title: str
    points: int
    variant: str
    is_follow_up: bool


class PreviewSection(BaseModel):
    """A section with its drawn items."""

    key: str
    title: str
    minutes: int | None
    assistant: AssistantPolicy
    items: list[PreviewItem]


class Preview(BaseModel):
    """The information that a candidate would get before and after starting."""

    team: str
    assessment: str
    minutes: int
    opens_at: datetime | None
    closes_at: datetime | None
    attempts: int
    verdicts: Verdicts
    practice: str | None
    instructions: str
    honour: str
    allowed: str
    recorded: list[Recorded]
    points: int
    sections: list[PreviewSection]


def assessment_card(assessment: Assessment, created_by: str | None) -> AssessmentCard:
    return AssessmentCard.model_validate(
        {
            "id": assessment.id,
            "name": assessment.name,
            "state": assessment.state,
            "version": assessment.version,
            "created_by": created_by,
            "created_at": assessment.created_at,
        }
    )


def assessment_view(
    assessment: Assessment, created_by: str | None, version: AssessmentVersion | None, catalogue: Catalogue
) -> AssessmentView:
    """Build the view of an assessment for the members of its team."""
    plan = plan_of(version) if version else None
    return AssessmentView(
        **assessment_card(assessment, created_by).model_dump(),
        number=version.number if version else 0,
        frozen=bool(version and version.frozen_at),
        plan=plan,
        problems=[
            *check(plan, catalogue),
            *question_problems(plan),
            *(window_over(plan, now()) if assessment.state == "draft" else []),
        ]
        if plan
        else [],
        warnings=warnings(plan, catalogue, now()) if plan else [],
        pinned=sorted(key for key in digests_of(version) if not key.startswith("variant:")) if version else [],
        total=total(plan) if plan else None,
    )


def preview(team: str, assessment: str, plan: Plan, seed: int, catalogue: Catalogue) -> Preview:
    """Build the preview for a candidate whose items are drawn with this seed."""
    drawn, pinned = draw(plan, seed), digests(plan, catalogue)
    sections = [
        PreviewSection(
            key=section.key,
            title=section.title,
            minutes=section.minutes,
            assistant=section.assistant,
            items=[
                PreviewItem(
                    key=item.item_key,
                    kind=item.kind,
                    name=item.name,
                    title=_title(plan, catalogue, item.kind, item.name),
                    points=item.points,
                    variant=_variant(catalogue, item.name, drawn_digest(item, pinned, seed)),
                    is_follow_up=item.is_follow_up,
                )
                for item in drawn
                if item.section_key == section.key
            ],
        )
        for section in plan.sections
    ]
    fields = plan.model_dump(include=set(Preview.model_fields) - {"sections"})
    points = sum(item.points for item in drawn)
    return Preview(**fields, team=team, assessment=assessment, points=points, sections=sections)


def _variant(catalogue: Catalogue, name: str, digest: str) -> str:
    """Return what distinguishes the variant with this digest, or "" if it is the plain challenge or a quiz."""
    challenge = catalogue.by_slug.get(name)
    found = (each.summary for each in challenge.variants if each.digest == digest) if challenge else ()
    return next(iter(found), "")


def _title(plan: Plan, catalogue: Catalogue, kind: Kind, name: str) -> str:
    """Return the title of an item, or its name if it is no longer in the catalogue."""
    if question := question_of(plan, kind, name):
        return question.title
    if kind == "challenge":
        challenge = catalogue.by_slug.get(name)
        return challenge.package.info.title if challenge else name
    topic = catalogue.topics.get(name)
    return topic.info.title if topic else name
