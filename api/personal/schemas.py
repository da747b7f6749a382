"""What travels when somebody leaves."""

from pydantic import BaseModel, ConfigDict

from api.accounts.schemas import GivenPassword


class Leave(BaseModel):
    """The password is asked again; who has none must have signed in lately."""

    model_config = ConfigDict(json_schema_extra={"example": {"password": "correct horse"}})
    password: GivenPassword = ""
