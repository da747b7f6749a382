"""Request and response bodies before the start of an assessment."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, StrictBool

from api.hiring.plans.plan import AssistantPolicy, Recorded, Verdicts
from api.identity.sign_in.schemas import Name


class SectionOutline(BaseModel):
    """A section, as candidates see it before the start: `items` is the number of its items, and `minutes` its time limit, or
    null. `assistant` says whether they may use an AI assistant there. `follow_ups` is the number of follow-up questions on their
    own answers, which are not among the `items`.
    """

    title: str
    minutes: int | None
    assistant: AssistantPolicy
    items: int
    follow_ups: int


class TakeView(BaseModel):
    """The information that the candidate sees before the time starts. It names the sections, but no items. If `running` is
    true, a participation has started and can be continued, and `participation_id` is its ID. If `is_test` is true, this is the
    test drive of a team's member. `logo` is the team's logo as a `data:` URL of a PNG, or null.
    """

    team: str
    logo: str | None
    assessment: str
    name: str
    minutes: int
    extra_minutes: int
    opens_at: datetime | None
    closes_at: datetime | None
    expires_at: datetime
    attempts: int
    attempts_left: int
    running: bool
    participation_id: str | None
    server_time: datetime
    verdicts: Verdicts
    instructions: str
    honour: str
    allowed: str
    recorded: list[Recorded]
    practice: str | None
    retention_days: int
    sections: list[SectionOutline]
    is_test: bool


class NewStart(BaseModel):
    """The name that the team sees. If the assessment has an honour statement, `honour` must be true, which means that you agree
    to the statement.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"name": "Eve", "honour": True}})
    name: Name
    honour: StrictBool
