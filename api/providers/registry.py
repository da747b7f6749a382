"""All providers of this site, and the sign-ins under way."""

from api.providers.client import Client
from api.providers.flows import Flows
from api.settings import Settings


class Providers:
    """Clients by id, in the operator's order."""

    def __init__(self, settings: Settings) -> None:
        self.flows = Flows()
        self.clients = {
            each.id: Client(each, f"{settings.url}/api/providers/{each.id}/callback")
            for each in settings.oidc_providers
        }
