"""Defines the questions that a team writes itself. Their content is part of the assessment's plan.

Questions with options or a number are marked like the questions of a quiz. Texts are graded by the team's reviewers.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from api.kit.text import CleanLine, CleanText, normalized
from grader.content.quizzes import quiz
from grader.content.quizzes.quiz import Numeric, Option, Quiz

Title = Annotated[str, AfterValidator(normalized), StringConstraints(min_length=1, max_length=120), CleanLine]
Prompt = Annotated[str, StringConstraints(min_length=1, max_length=20_000, pattern=r"\S"), CleanText]
Line = Annotated[str, AfterValidator(str.strip), StringConstraints(min_length=1, max_length=500), CleanText]
Reason = Annotated[str, AfterValidator(str.strip), StringConstraints(max_length=1000), CleanText]
Guide = Annotated[str, StringConstraints(max_length=5000), CleanText]
ItemKey = Annotated[str, StringConstraints(pattern="^[a-z0-9-]{1,40}$")]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-1e300, le=1e300)]
# The most characters that a text can have. A plan can set a lower limit.
MOST_CHARACTERS = 10_000
EXAMPLE_QUESTION: dict[str, Any] = {
    "title": "Your choice of mask",
    "prompt": "Why does your code add the mask before the softmax, and not after it?",
    "answer": {"type": "text", "max_length": 1500, "guide": "After the softmax, the weights no longer add up to 1."},
    "about": "attention",
}


class QuestionOption(BaseModel):
    """An option, as Markdown of one line. `reason` is shown with the result to candidates who chose a wrong option."""

    model_config = ConfigDict(extra="forbid")
    text: Line
    right: StrictBool = False
    reason: Reason = ""


class ChoiceAnswer(BaseModel):
    """Options, of which one or several are right. An answer gets all points if it names exactly the right options. Candidates
    see the options in random order.
    """

    model_config = ConfigDict(extra="forbid")
    type: Literal["choice"]
    options: Annotated[list[QuestionOption], Field(min_length=2, max_length=10)]

    @model_validator(mode="after")
    def can_be_answered(self) -> Self:
        if not any(option.right for option in self.options):
            raise PydanticCustomError("no_right_option", "needs at least one right option")
        if len({option.text for option in self.options}) < len(self.options):
            raise PydanticCustomError("same_options", "has two options with the same text")
        return self


class NumberAnswer(BaseModel):
    """A number. An answer is right if it differs from `value` by at most `tolerance`."""

    model_config = ConfigDict(extra="forbid")
    type: Literal["number"]
    value: Number
    tolerance: Annotated[Number, Field(ge=0)] = 0.0


class TextAnswer(BaseModel):
    """A text of at most `max_length` characters, which reviewers grade. `guide` tells them what a good answer says; candidates
    never see it.
    """

    model_config = ConfigDict(extra="forbid")
    type: Literal["text"]
    max_length: Annotated[int, Field(strict=True, ge=1, le=MOST_CHARACTERS)] = 4000
    guide: Guide = ""


class TeamQuestion(BaseModel):
    """A question that the team wrote. `prompt` is Markdown with formulas and code.

    `about` is the key of an earlier challenge of the plan. Candidates then see their own code for it, mark the lines that they
    write about, and reviewers see these lines. Only questions that are answered with a text can have it.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": EXAMPLE_QUESTION})
    title: Title
    prompt: Prompt
    answer: Annotated[ChoiceAnswer | NumberAnswer | TextAnswer, Field(discriminator="type")]
    about: ItemKey | None = None

    @model_validator(mode="after")
    def is_about_code_only_with_text(self) -> Self:
        if self.about is not None and self.answer.type != "text":
            raise PydanticCustomError("about", "only a question that is answered with a text can be about code")
        return self


def quiz_of(name: str, question: TeamQuestion) -> Quiz | None:
    """Return a quiz that consists of this question, or None if reviewers grade it."""
    match question.answer:
        case ChoiceAnswer(options=options):
            parts = tuple(Option(option.text, option.right, option.reason) for option in options)
            return Quiz((quiz.Choice(name, question.prompt, "", parts),), {})
        case NumberAnswer(value=value, tolerance=tolerance):
            return Quiz((Numeric(name, question.prompt, "", value, tolerance),), {})
        case TextAnswer():
            return None
