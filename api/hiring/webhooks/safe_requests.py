"""Sends requests to addresses that users entered, protected against server-side request forgery.

The host name is resolved at every attempt, every resulting IP address must be public, and the connection goes to the IP
address that was checked. Redirects are not followed, proxies are not used, and only the beginning of the response is read.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx

from api.kit.text import printable
from api.settings import Settings

TIMEOUT_S = 10.0
READ_BYTES = 500
OWN_PORTS = range(1024, 65536)
# IPv6 networks whose addresses contain an IPv4 address to which packets may be forwarded. All of these networks are refused,
# because nothing checks whether the IPv4 address is public.
TRANSLATED = [
    ipaddress.ip_network(each) for each in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96")
]
Resolve = Callable[[str, int], Awaitable[list[str]]]


class Unreachable(Exception):
    """Nothing was sent, or there was no response. The message is shown in the team's log."""


@dataclass(frozen=True)
class Answer:
    """The response of a receiver. `text` is the beginning of its body. It is empty if the response came from an IP address that
    is not public.
    """

    code: int
    text: str


def is_public(address: str) -> bool:
    """Return whether an IP address is a unicast address on the public internet."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped:
            return is_public(str(ip.ipv4_mapped))
        if ip.is_site_local or any(ip in network for network in TRANSLATED):
            return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def url_problem(url: str, settings: Settings) -> str:
    """Return what is wrong with a URL, or "" if nothing is. The host name is not resolved."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return "is not a web address"
    if parts.scheme != "https" and not (parts.scheme == "http" and settings.webhooks_private):
        return "must start with https://"
    if not host or parts.username is not None or parts.password is not None or parts.fragment:
        return "must name a host, and neither a password nor a fragment"
    if not (port in (80, 443) or port in OWN_PORTS):
        return "must have port 443, or one above 1023"
    if _is_ours(host, port, settings):
        return "is this service's own"
    if not settings.webhooks_private and _is_literal(host) and not is_public(host):
        return "must be public on the internet"
    return "must be public on the internet" if host == "localhost" and not settings.webhooks_private else ""


async def resolve(host: str, port: int) -> list[str]:
    """Return the IP addresses of a host. Raises `OSError`."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(each[4][0]) for each in found]


class SafeClient:
    """Sends POST requests. Tests replace `look_up` and `tls`."""

    def __init__(self, settings: Settings, look_up: Resolve = resolve, tls: ssl.SSLContext | None = None) -> None:
        self._settings, self._look_up, self._tls = settings, look_up, tls

    async def post(self, url: str, body: str, headers: dict[str, str]) -> Answer:
        """Send a JSON message. Raises `Unreachable`."""
        if wrong := url_problem(url, self._settings):
            raise Unreachable(f"The address {wrong}.")
        try:
            async with asyncio.timeout(TIMEOUT_S):
                address = await self._address(url)
                return await self._send(url, address, body, headers)
        except TimeoutError:
            raise Unreachable(f"No answer within {TIMEOUT_S:.0f} s.") from None
        except (httpx.HTTPError, ssl.SSLError, OSError) as error:
            raise Unreachable(printable(f"{type(error).__name__}: {error}")[:200]) from None

    async def _address(self, url: str) -> str:
        """Return the IP address to connect to. Raises `Unreachable` if the host has no IP address, if any of its IP addresses
        is not public, or if any of them is an address of this service.
        """
        host, port = _place(url)
        try:
            found = await self._look_up(host, port)
        except (OSError, UnicodeError):
            raise Unreachable(f"The name {host} is not known.") from None
        for address in found:
            if not self._settings.webhooks_private and not is_public(address):
                raise Unreachable(f"The name {host} leads to an address that is not public.")
            if _is_ours(address, port, self._settings):
                raise Unreachable("This address is this service's own.")
        if not found:
            raise Unreachable(f"The name {host} has no address.")
        return found[0]

    async def _send(self, url: str, address: str, body: str, headers: dict[str, str]) -> Answer:
        if self._tls is None:
            self._tls = await asyncio.to_thread(ssl.create_default_context)
        given = httpx.URL(url)
        fixed = {"Host": given.netloc.decode(), "Content-Type": "application/json", "User-Agent": "Gradus-Webhooks/1"}
        request = httpx.Request(
            "POST",
            given.copy_with(host=address),
            headers={**fixed, "Accept-Encoding": "identity", **headers},
            content=body.encode(),
            # The certificate must match the host name, not the IP address.
            extensions={"sni_hostname": given.host, "timeout": httpx.Timeout(TIMEOUT_S).as_dict()},
        )
        async with httpx.AsyncClient(verify=self._tls, trust_env=False, follow_redirects=False) as http:
            answer = await http.send(request, stream=True)
            try:
                text = await _beginning(answer) if is_public(address) else ""
            finally:
                await answer.aclose()
        return Answer(answer.status_code, text)


async def _beginning(answer: httpx.Response) -> str:
    read = b""
    async for part in answer.aiter_raw():
        read += part
        if len(read) >= READ_BYTES:
            break
    return printable(read[:READ_BYTES].decode("utf-8", "replace"))


def _place(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)


def _is_ours(host: str, port: int, settings: Settings) -> bool:
    """Return whether the host and port are those of this service."""
    own = _place(settings.url)
    here = _is_literal(host) and (ipaddress.ip_address(host).is_loopback or host == settings.host)
    return (host.rstrip("."), port) == own or (port == settings.port and (here or host == "localhost"))


def _is_literal(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
