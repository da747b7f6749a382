"""What accounts look like over HTTP."""

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

from api.text import CleanLine, CleanText, one_form

Name = Annotated[str, AfterValidator(one_form), StringConstraints(min_length=1, max_length=80), CleanLine]
Password = Annotated[str, StringConstraints(min_length=10, max_length=256), CleanText]
# What is compared with a stored password may be as short as it likes.
GivenPassword = Annotated[str, StringConstraints(max_length=256), CleanText]
Email = Annotated[EmailStr, Field(max_length=254), AfterValidator(str.lower), CleanLine]


class Credentials(BaseModel):
    """E-mail and password."""

    model_config = ConfigDict(json_schema_extra={"example": {"email": "ada@example.org", "password": "correct horse"}})
    email: Email
    password: GivenPassword


class Registration(BaseModel):
    """A new account. The password has at least ten characters."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"email": "ada@example.org", "name": "Ada", "password": "correct horse"}}
    )
    email: Email
    name: Name
    password: Password


class SetUp(Registration):
    """The first admin; `token` is the set-up token that the service printed on its console."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"token": "…", "email": "ada@example.org", "name": "Ada", "password": "correct horse"}
        }
    )
    token: Annotated[str, StringConstraints(max_length=200), CleanText]


class NewPassword(BaseModel):
    """Another password. Every session ends but a fresh one for the browser that asks; API tokens too, if wanted."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"current": "correct horse", "password": "battery staple", "revoke_tokens": False}
        }
    )
    current: GivenPassword
    password: Password
    revoke_tokens: StrictBool = False


class LetterSent(BaseModel):
    """A letter goes to this address, if one has to; `by` console: this site sends no e-mail, its operator sees the letter."""

    email: str
    by: Literal["email", "console"] = "email"


class AccountView(BaseModel):
    """Who is signed in. A guest has no e-mail. An address that is not verified yet keeps nobody from anything."""

    model_config = ConfigDict(from_attributes=True)
    id: str
    email: str
    email_verified: bool
    has_password: bool
    name: str
    role: Literal["guest", "account", "admin"]
    created_at: datetime

    @model_validator(mode="after")
    def without_what_a_guest_has_not(self) -> Self:
        """The address under which a guest is stored is none."""
        if self.role == "guest":
            self.email = ""
        return self


class SessionView(BaseModel):
    """One browser that is signed in; `current` marks the one that asks."""

    id: str
    agent: str
    address: str
    created_at: datetime
    last_used_at: datetime
    expires_at: datetime
    current: bool


class SessionList(BaseModel):
    """All sign-ins of an account, newest first."""

    items: list[SessionView]


class NewToken(BaseModel):
    """The name under which a token is listed."""

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
    """A new API token; `token` is shown this once."""

    token: str
