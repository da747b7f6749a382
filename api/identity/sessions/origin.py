"""The origin of a request: its network address, its browser, and the cookie that proves earlier sign-ins of the device."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Origin:
    """Where a request comes from. `network` is the IPv4 address or the /64 network of the IPv6 address; rate limits count per
    network. `device` is the cookie of `known_devices`.
    """

    address: str
    network: str
    agent: str
    device: str = ""
