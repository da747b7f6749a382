"""Requests and responses for signing in with a provider."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StrictBool, StringConstraints

from api.kit.text import CleanText

# A path on this site. "//host" and "/\host" are not allowed, because browsers treat them as addresses of other sites.
OwnPath = Annotated[str, StringConstraints(max_length=500, pattern=r"^/([^/\\\x00-\x20][^\\\x00-\x20]*)?$"), CleanText]

Given = Annotated[str, StringConstraints(max_length=4000), CleanText]


class ProviderView(BaseModel):
    """An identity provider with which users can sign in on this site."""

    id: str
    name: str


class ProviderList(BaseModel):
    """All providers, in the order in which the settings list them."""

    items: list[ProviderView]


class Start(BaseModel):
    """Begins a sign-in or, if `link` is true, links the provider to the current account. `back` is the page of this site that
    is shown afterwards.
    """

    model_config = ConfigDict(json_schema_extra={"example": {"back": "/catalogue", "link": False}})
    back: OwnPath = "/catalogue"
    link: StrictBool = False


class Started(BaseModel):
    """The provider's URL that the browser must open next."""

    address: str


class Callback(BaseModel):
    """The parameters that the provider adds to the callback address. Other parameters are ignored."""

    code: Given = ""
    state: Given = ""
    iss: Given = ""


class LinkView(ProviderView):
    """A provider that is linked to this account. `email` is the address that the provider reported."""

    email: str
    created_at: datetime


class LinkList(BaseModel):
    """All providers that are linked to an account, oldest link first."""

    items: list[LinkView]
