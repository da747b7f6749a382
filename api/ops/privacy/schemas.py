"""The request to delete an account."""

from pydantic import BaseModel, ConfigDict

from api.identity.sign_in.schemas import GivenPassword


class Leave(BaseModel):
    """Confirms the deletion of an account with its password. An account without a password needs a recent sign-in instead."""

    model_config = ConfigDict(json_schema_extra={"example": {"password": "correct horse"}})
    password: GivenPassword = ""
