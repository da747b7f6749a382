"""What assessments look like over HTTP, to those who build them."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from api.assessments.models import Assessment, AssessmentVersion
from api.assessments.plan import EXAMPLE, Kind, Plan, Recorded, Title, Total, Verdicts, check, draw, total
from api.assessments.versions import plan_of
from api.catalogue.service import Catalogue
from api.errors import ErrorBody, FieldError

AssessmentState = Literal["draft", "open", "archived"]


class NewAssessment(BaseModel):
    """What it is called; its plan may come later."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"name": "Research engineer, first round", "plan": EXAMPLE}}
    )
    name: Title
    plan: Plan | None = None


class NamedAssessment(BaseModel):
    """What it is called."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"name": "Research engineer, second round"}}
    )
    name: Title


class NewPlan(BaseModel):
    """A plan as it is to be, and the version of the assessment that it was made from."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"version": 1, "plan": EXAMPLE}})
    version: Annotated[int, Field(strict=True, ge=0, le=2**31 - 1)]
    plan: Plan


class AssessmentCard(BaseModel):
    """An assessment in a list. `created_by` is a name, null once that account is gone."""

    id: str
    name: str
    state: AssessmentState
    version: int
    created_by: str | None
    created_at: datetime


class AssessmentView(AssessmentCard):
    """An assessment with its newest plan. `number` names that plan's version (0: there is none yet); `frozen`: somebody has
    started with it, and the next saving makes another. `problems` keep it from being opened.
    """

    number: int
    frozen: bool
    plan: Plan | None
    problems: list[FieldError]
    total: Total | None


class AssessmentPage(BaseModel):
    """One page of assessments, newest first; `next_cursor` is null on the last page."""

    items: list[AssessmentCard]
    next_cursor: str | None


class AssessmentConflict(ErrorBody):
    """Somebody else saved meanwhile; `assessment` is what is there now."""

    assessment: AssessmentView


class PreviewItem(BaseModel):
    """Something to do, as this candidate would get it."""

    key: str
    kind: Kind
    name: str
    title: str
    points: int


class PreviewSection(BaseModel):
    """A section, with what is drawn of it."""

    key: str
    title: str
    minutes: int | None
    items: list[PreviewItem]


class Preview(BaseModel):
    """What a candidate would be told before the start and see after it."""

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
    """An assessment in a list."""
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
    """An assessment as its authors see it."""
    plan = plan_of(version) if version else None
    return AssessmentView(
        **assessment_card(assessment, created_by).model_dump(),
        number=version.number if version else 0,
        frozen=bool(version and version.frozen_at),
        plan=plan,
        problems=check(plan, catalogue) if plan else [],
        total=total(plan) if plan else None,
    )


def preview(team: str, assessment: str, plan: Plan, seed: int, catalogue: Catalogue) -> Preview:
    """What the candidate of a seed would see."""
    drawn = draw(plan, seed)
    sections = [
        PreviewSection(
            key=section.key,
            title=section.title,
            minutes=section.minutes,
            items=[
                PreviewItem(
                    key=item.item_key,
                    kind=item.kind,
                    name=item.name,
                    title=_title(catalogue, item.kind, item.name),
                    points=item.points,
                )
                for item in drawn
                if item.section_key == section.key
            ],
        )
        for section in plan.sections
    ]
    told = plan.model_dump(include=set(Preview.model_fields) - {"sections"})
    points = sum(item.points for item in drawn)
    return Preview(**told, team=team, assessment=assessment, points=points, sections=sections)


def _title(catalogue: Catalogue, kind: Kind, name: str) -> str:
    """The title of what is drawn; its name, if it is not served any more."""
    if kind == "challenge":
        challenge = catalogue.by_slug.get(name)
        return challenge.package.info.title if challenge else name
    topic = catalogue.topics.get(name)
    return topic.info.title if topic else name
