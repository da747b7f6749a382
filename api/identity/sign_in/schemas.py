"""Requests and responses for accounts, sessions and tokens."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    EmailStr,
    Field,
    StrictBool,
    StringConstraints,
    model_validator,
)

from api.kit.text import CleanLine, CleanText, normalized

Name = Annotated[str, AfterValidator(normalized), StringConstraints(min_length=1, max_length=80), CleanLine]
Password = Annotated[str, StringConstraints(min_length=10, max_length=256), CleanText]
# A password that is compared with a stored hash. Unlike a new password, it has no minimum length.
GivenPassword = Annotated[str, StringConstraints(max_length=256), CleanText]
Email = Annotated[EmailStr, Field(max_length=254), AfterValidator(str.lower), CleanLine]


class Credentials(BaseModel):
    """Email and password."""

    model_config = ConfigDict(json_schema_extra={"example": {"email": "ada@example.org", "password": "correct horse"}})
    email: Email
    password: GivenPassword


class Registration(BaseModel):
    """A new account. The password must have at least ten characters."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"email": "ada@example.org", "name": "Ada", "password": "correct horse"}}
    )
    email: Email
    name: Name
    password: Password


class SetUp(Registration):
    """The first admin. `token` is the setup token that the service printed on its console."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"token": "…", "email": "ada@example.org", "name": "Ada", "password": "correct horse"}
        }
    )
    token: Annotated[str, StringConstraints(max_length=200), CleanText]


class NewPassword(BaseModel):
    """A new password. All sessions end, and this browser gets a new session. `revoke_tokens` revokes all API tokens too."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"current": "correct horse", "password": "battery staple", "revoke_tokens": False}
        }
    )
    current: GivenPassword
    password: Password
    revoke_tokens: StrictBool = False


class LetterSent(BaseModel):
    """The address to which a mail is sent. The response is the same if no mail is necessary, so that it reveals nothing. If
    `by` is `console`, this site sends no email; the text is printed on the console of the service instead.
    """

    email: str
    by: Literal["email", "console"] = "email"


class AccountView(BaseModel):
    """The account that is signed in. For a guest, `email` is empty. An account whose address is not verified can do the same as
    any other.
    """

    model_config = ConfigDict(from_attributes=True)
    id: str
    email: str
    email_verified: bool
    has_password: bool
    name: str
    role: Literal["guest", "account", "admin"]
    created_at: datetime

    @model_validator(mode="after")
    def hide_guest_address(self) -> Self:
        """Hide the internal address under which a guest is stored."""
        if self.role == "guest":
            self.email = ""
        return self


class SessionView(BaseModel):
    """A browser session. `current` marks the session that sent this request."""

    id: str
    agent: str
    address: str
    created_at: datetime
    last_used_at: datetime
    expires_at: datetime
    current: bool


class SessionList(BaseModel):
    """All sessions of an account, newest first."""

    items: list[SessionView]


class NewToken(BaseModel):
    """A new API token; `name` is the name under which it is listed."""

    model_config = ConfigDict(json_schema_extra={"example": {"name": "laptop"}})
    name: Name


class TokenView(BaseModel):
    """An API token without its secret."""

    model_config = ConfigDict(from_attributes=True)
    id: str
    name: str
    hint: str
    created_at: datetime
    last_used_at: datetime | None


class TokenList(BaseModel):
    """All API tokens of an account, newest first."""

    items: list[TokenView]


class CreatedToken(TokenView):
    """A new API token. Only this response contains `token`."""

    token: str
