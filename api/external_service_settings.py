"""What the settings say about programs that the service sends requests to: providers with which users sign in, and the endpoint
of the AI assistant.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, StringConstraints


class Provider(BaseModel):
    """An OpenID Connect provider with which users can sign in. `name` is the label of its button."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,32}$")]
    name: Annotated[str, StringConstraints(min_length=1, max_length=40)]
    issuer: str
    client_id: str
    client_secret: SecretStr


class AssistantEndpoint(BaseModel):
    """An endpoint that speaks OpenAI's protocol for chat completions. `url` is its base, such as https://api.openai.com/v1 or
    http://127.0.0.1:8080/v1. `tokens` is the budget of each candidate in an assessment; a message costs what it sends (the
    statement, the code, the conversation) and its reply. `reply_tokens` and `reply_s` limit one reply. Some models want its
    length in `max_completion_tokens` instead of `max_tokens`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    url: Annotated[str, StringConstraints(pattern=r"^https?://[^\s/?#]+[^\s?#]*$")]
    key: SecretStr = SecretStr("")
    model: Annotated[str, StringConstraints(min_length=1, max_length=120)]
    tokens: Annotated[int, Field(ge=1000)] = 100_000
    reply_tokens: Annotated[int, Field(ge=50)] = 2000
    reply_s: Annotated[float, Field(gt=0)] = 120
    length_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
