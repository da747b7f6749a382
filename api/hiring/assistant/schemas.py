"""Request and response bodies of the assistant."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from api.kit.text import CleanText, Text

QUESTION_CHARACTERS, DECLARATION_CHARACTERS = 8000, 4000
State = Literal["running", "answered", "cut", "failed"]


class NewQuestion(BaseModel):
    """A question to the assistant, and the code that is in the editor."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"example": {"question": "Which axis is summed here?", "source": "import torch\n"}},
    )
    question: Annotated[str, StringConstraints(min_length=1, max_length=QUESTION_CHARACTERS, pattern=r"\S"), CleanText]
    source: Text


class MessageView(BaseModel):
    """A question and its reply, which is in Markdown. `state` is `running` while the reply is written, `cut` if it reached its
    maximum length, and `failed` if it is not complete. In that case, `failure` says why, and `reply` is the part that had
    arrived. `tokens` is what the message cost.
    """

    id: str
    position: int
    asked_at: datetime
    ended_at: datetime | None
    question: str
    reply: str
    state: State
    failure: str | None
    tokens: int
    model: str


class Budget(BaseModel):
    """How many tokens a candidate has used, in all items of the assessment, and how many there are."""

    used: int
    tokens: int


class Conversation(BaseModel):
    """The conversation about one item, in order. `budget` is null if this site has no assistant at the moment."""

    messages: list[MessageView]
    budget: Budget | None


class NewDeclaration(BaseModel):
    """How you used an assistant of your own, in your words. An empty text removes what you wrote before."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"text": "It explained `einsum` to me. I wrote the code."}}
    )
    text: Annotated[str, Field(max_length=DECLARATION_CHARACTERS), CleanText]


class Declaration(BaseModel):
    """What a candidate said about an assistant of their own. `text` is empty, and `written_at` null, until they have."""

    text: str
    written_at: datetime | None


class Transcript(BaseModel):
    """The conversations of a participation about all of its items, in order, and what the candidate said about an assistant of
    their own; null if no section allows one. `tokens` is what all messages cost.
    """

    messages: list[MessageView]
    declaration: Declaration | None
    tokens: int


class AssistantInfo(BaseModel):
    """The assistant that this site offers: the name of its model, and each candidate's budget in tokens."""

    model: str
    tokens: int


class OfferedAssistant(BaseModel):
    """The assistant that this site offers, or null if its operator has set up none."""

    assistant: AssistantInfo | None
