"""The identity providers of this site, and the sign-ins in progress."""

from typing import Annotated

from fastapi import Depends

from api.identity.providers.client import Client
from api.identity.providers.flows import Flows
from api.kit.http.provided import provided
from api.settings import Settings


class Providers:
    """The clients of all providers by provider id, in the order of the settings, and the sign-ins in progress."""

    def __init__(self, settings: Settings) -> None:
        self.flows = Flows()
        self.clients = {
            each.id: Client(each, f"{settings.url}/api/providers/{each.id}/callback")
            for each in settings.oidc_providers
        }


ProvidersDep = Annotated[Providers, Depends(provided(Providers))]
