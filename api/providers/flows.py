"""Sign-ins that are under way: what this browser must bring back from the provider. Kept in memory, and bounded; after a restart
one begins anew.
"""

import base64
import hashlib
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field

from api.accounts.secrets import new_token, token_hash

LASTS_S = 600
MAX_FLOWS = 10_000


def _random() -> str:
    return secrets.token_urlsafe(32)


@dataclass(frozen=True)
class Flow:
    """One sign-in. `account_id`: the account that the provider is to be linked to; empty when somebody signs in."""

    provider: str
    then: str
    account_id: str = ""
    state: str = field(default_factory=_random)
    nonce: str = field(default_factory=_random)
    verifier: str = field(default_factory=_random)
    until: float = field(default_factory=lambda: time.monotonic() + LASTS_S)

    @property
    def challenge(self) -> str:
        """What the provider is told of the verifier (PKCE, S256)."""
        digest = hashlib.sha256(self.verifier.encode()).digest()
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")


class Flows:
    """By the hash of the cookie that the browser holds; each is taken once."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, Flow] = OrderedDict()

    def begin(self, flow: Flow) -> str:
        """Remember a flow; returns the cookie's value."""
        cookie = new_token("flow_")
        self._open[token_hash(cookie)] = flow
        while len(self._open) > MAX_FLOWS:
            self._open.popitem(last=False)
        return cookie

    def take(self, cookie: str, provider: str, state: str) -> Flow | None:
        """The flow of this browser, if it is the one that the provider answers."""
        flow = self._open.pop(token_hash(cookie), None)
        fits = (
            flow is not None
            and flow.provider == provider
            and secrets.compare_digest(flow.state.encode(), state.encode("utf-8", "surrogatepass"))
        )
        return flow if flow is not None and fits and flow.until > time.monotonic() else None
