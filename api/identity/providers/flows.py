"""Sign-ins in progress, each with the values that the browser must bring back from the provider. They are kept in memory, and
their number is limited. If the service restarts, users who are signing in with a provider have to begin again.
"""

import base64
import hashlib
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field

from api.identity.accounts.hashing import new_token, token_hash

# Seconds until a sign-in in progress expires.
LASTS_S = 600
# Maximum number of sign-ins in progress. Beyond it, the oldest are discarded.
MAX_FLOWS = 10_000


def _random() -> str:
    return secrets.token_urlsafe(32)


@dataclass(frozen=True)
class Flow:
    """One sign-in in progress. `then` is the page of this site that is shown afterwards. `account_id` is the account that is to
    be linked to the provider, or empty for a plain sign-in.
    """

    provider: str
    then: str
    account_id: str = ""
    state: str = field(default_factory=_random)
    nonce: str = field(default_factory=_random)
    verifier: str = field(default_factory=_random)
    until: float = field(default_factory=lambda: time.monotonic() + LASTS_S)

    @property
    def challenge(self) -> str:
        """The PKCE code challenge (S256) that is sent to the provider."""
        digest = hashlib.sha256(self.verifier.encode()).digest()
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")


class Flows:
    """Stores sign-ins in progress by the hash of the browser's cookie. Each sign-in can be taken out only once."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, Flow] = OrderedDict()

    def begin(self, flow: Flow) -> str:
        """Store a flow, and return the value of the cookie that identifies it."""
        cookie = new_token("flow_")
        self._open[token_hash(cookie)] = flow
        while len(self._open) > MAX_FLOWS:
            self._open.popitem(last=False)
        return cookie

    def take(self, cookie: str, provider: str, state: str) -> Flow | None:
        """Remove the flow of this browser and return it. Returns None if there is no flow, if it has expired, or if it has
        another provider or another state.
        """
        flow = self._open.pop(token_hash(cookie), None)
        fits = (
            flow is not None
            and flow.provider == provider
            and secrets.compare_digest(flow.state.encode(), state.encode("utf-8", "surrogatepass"))
        )
        return flow if flow is not None and fits and flow.until > time.monotonic() else None
