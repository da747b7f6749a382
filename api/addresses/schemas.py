"""What travels when addresses are proven and passwords are forgotten."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

from api.accounts.schemas import Email, GivenPassword, Password
from api.text import CleanText

LinkToken = Annotated[str, StringConstraints(max_length=100), CleanText]


class Address(BaseModel):
    """An e-mail address."""

    model_config = ConfigDict(json_schema_extra={"example": {"email": "ada@example.org"}})
    email: Email


class NewAddress(Address):
    """The address to move to. The password is asked again; who has none must have signed in lately."""

    model_config = ConfigDict(json_schema_extra={"example": {"email": "ada@example.org", "password": "correct horse"}})
    password: GivenPassword = ""


class ConfirmedAddress(BaseModel):
    """What stands behind «#» in the link of a letter."""

    model_config = ConfigDict(json_schema_extra={"example": {"token": "verify_…"}})
    token: LinkToken


class ConfirmedAccount(ConfirmedAddress):
    """The token of the letter, and the password that was chosen when registering."""

    model_config = ConfigDict(json_schema_extra={"example": {"token": "new_…", "password": "correct horse"}})
    password: GivenPassword


class ResetPassword(ConfirmedAddress):
    """The token of the letter, and a new password."""

    model_config = ConfigDict(json_schema_extra={"example": {"token": "reset_…", "password": "battery staple"}})
    password: Password
