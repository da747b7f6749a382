"""Request and response bodies of candidates' feedback."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from api.kit.text import CleanText

Difficulty = Literal["easy", "right", "hard"]


class NewFeedback(BaseModel):
    """Your opinion of the assessment: a rating from 1 (bad) to 5 (good), how hard it was, and a comment."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"example": {"rating": 4, "difficulty": "right", "comment": "The samples helped."}},
    )
    rating: Annotated[int, Field(strict=True, ge=1, le=5)]
    difficulty: Difficulty
    comment: Annotated[str, Field(max_length=2000), CleanText] = ""


class OwnFeedback(BaseModel):
    """What you said about the assessment; null if you have not."""

    feedback: NewFeedback | None


class FeedbackSummary(BaseModel):
    """What candidates said about an assessment. `ratings` counts the ratings 1 to 5. `comments` are in no order that would
    tell who wrote them.
    """

    count: int
    mean: float | None
    ratings: list[int]
    difficulties: dict[Difficulty, int]
    comments: list[str]
