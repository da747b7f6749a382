"""Requests and responses for verifying addresses and resetting passwords."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

from api.identity.sign_in.schemas import Email, GivenPassword, Password
from api.kit.text import CleanText

LinkToken = Annotated[str, StringConstraints(max_length=100), CleanText]


class Address(BaseModel):
    """An email address."""

    model_config = ConfigDict(json_schema_extra={"example": {"email": "ada@example.org"}})
    email: Email


class NewAddress(Address):
    """The new address of an account, and its password. An account without a password needs a recent sign-in instead."""

    model_config = ConfigDict(json_schema_extra={"example": {"email": "ada@example.org", "password": "correct horse"}})
    password: GivenPassword = ""


class ConfirmedAddress(BaseModel):
    """The token from a link in a mail (the part after "#")."""

    model_config = ConfigDict(json_schema_extra={"example": {"token": "verify_…"}})
    token: LinkToken


class ConfirmedAccount(ConfirmedAddress):
    """The token from a link in a mail, and the password that was chosen during registration."""

    model_config = ConfigDict(json_schema_extra={"example": {"token": "new_…", "password": "correct horse"}})
    password: GivenPassword


class ResetPassword(ConfirmedAddress):
    """The token from a link in a mail, and the new password."""

    model_config = ConfigDict(json_schema_extra={"example": {"token": "reset_…", "password": "battery staple"}})
    password: Password
