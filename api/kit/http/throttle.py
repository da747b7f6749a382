"""Rate limits, counted in memory. A limit applies to each key separately, for example to each network address. The number of
keys that are remembered is bounded.
"""

import ipaddress
import time
from collections import OrderedDict, deque
from collections.abc import Callable

MAX_KEYS = 50_000
MINUTE_S = 60.0


def network(address: str) -> str:
    """Return the key under which a client's address is counted. For IPv6, this is the /64 network of the address, because one
    customer of a provider usually has all addresses of a /64 network.
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return address
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


class Throttle:
    """Allows at most `limit` events per key within any `window_s` seconds. It stores the times of up to `limit` events per key.
    Use it for low limits.
    """

    def __init__(self, limit: int, window_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit, self._window_s, self._clock = limit, window_s, clock
        self._seen: OrderedDict[str, deque[float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._seen)

    def wait_s(self, key: str) -> float:
        """Return the seconds until this key may try again, or 0 if it may try now."""
        events = self._fresh(key)
        return 0.0 if len(events) < self._limit else events[0] + self._window_s - self._clock()

    def count(self, key: str) -> None:
        """Count one event of this key."""
        events = self._seen.setdefault(key, deque(maxlen=self._limit))
        events.append(self._clock())
        self._seen.move_to_end(key)
        while len(self._seen) > MAX_KEYS:
            self._seen.popitem(last=False)

    def uncount(self, key: str) -> None:
        """Remove the newest event of this key."""
        if events := self._seen.get(key):
            events.pop()

    def forget(self, key: str) -> None:
        """Remove all events of this key, for example after a successful attempt."""
        self._seen.pop(key, None)

    def _fresh(self, key: str) -> deque[float]:
        events = self._seen.get(key, deque())
        while events and events[0] <= self._clock() - self._window_s:
            events.popleft()
        return events


class Rate:
    """Allows `limit` events per key and minute on average. After a pause of a minute, a key may have `limit` events at once.
    (This is the GCRA algorithm.) It stores one number per key, the time at which the key has this full allowance again, and
    not the time of each event. Use it for high limits.
    """

    def __init__(self, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._step_s, self._clock = MINUTE_S / limit, clock
        self._even_at: OrderedDict[str, float] = OrderedDict()

    def take(self, key: str) -> float:
        """Count one event and return 0. If the event exceeds the limit, do not count it, and return the seconds to wait."""
        now = self._clock()
        even_at = max(self._even_at.get(key, 0.0), now) + self._step_s
        if (wait := even_at - now - MINUTE_S) > 1e-9:
            return wait
        self._even_at[key] = even_at
        self._even_at.move_to_end(key)
        if len(self._even_at) > MAX_KEYS:
            self._even_at.popitem(last=False)
        return 0.0
