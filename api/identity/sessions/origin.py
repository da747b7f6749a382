"""The origin of a request: address, network, browser, and the cookie that proves earlier sign-ins of the device."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Origin:
    """Where a request comes from. Rate limits are counted per `network`. `device` is the cookie of `known_devices`."""

    address: str
    network: str
    agent: str
    device: str = ""
