"""What travels when somebody signs in by a provider."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StrictBool, StringConstraints

from api.text import CleanText

# A page of this site, never another site's: «//host» and «/\host» would be one.
OwnPath = Annotated[str, StringConstraints(max_length=500, pattern=r"^/([^/\\\x00-\x20][^\\\x00-\x20]*)?$"), CleanText]

Given = Annotated[str, StringConstraints(max_length=4000), CleanText]


class ProviderView(BaseModel):
    """A provider by which one may sign in here."""

    id: str
    name: str


class ProviderList(BaseModel):
    """All of them, in the operator's order."""

    items: list[ProviderView]


class Start(BaseModel):
    """Begin to sign in or, with `link`, to link the provider to the account that is signed in. `back`: where to come back to."""

    model_config = ConfigDict(json_schema_extra={"example": {"back": "/catalogue", "link": False}})
    back: OwnPath = "/catalogue"
    link: StrictBool = False


class Started(BaseModel):
    """Where the browser goes now."""

    address: str


class Callback(BaseModel):
    """What the provider sends along; whatever else it sends is not needed."""

    code: Given = ""
    state: Given = ""
    iss: Given = ""


class LinkView(ProviderView):
    """A provider by which this account is signed in to; `email` is the address there."""

    email: str
    created_at: datetime


class LinkList(BaseModel):
    """All of an account's, oldest first."""

    items: list[LinkView]
