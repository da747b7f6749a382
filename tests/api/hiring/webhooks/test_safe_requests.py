"""Tests that webhooks connect only to the public internet, even if a host name resolves to another address when it is looked up
again.
"""

import datetime
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from api.hiring.webhooks import safe_requests
from api.hiring.webhooks.safe_requests import Resolve, SafeClient, Unreachable, is_public, url_problem
from tests.api.hiring.webhooks.webhooks_rig import receiver
from tests.api.running_service import NO_TLS, settings_in

pytestmark = pytest.mark.anyio
PRIVATE = [
    "127.0.0.1", "127.9.9.9", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
    "::1", "::", "fe80::1", "fe80::1%eth0", "fec0::1", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::1",
    "2001:0:7f00:1::1",
]  # fmt: skip


def resolving(*addresses: str) -> Resolve:
    """Return a resolver that answers with these addresses."""

    async def look_up(host: str, port: int) -> list[str]:
        return list(addresses)

    return look_up


@pytest.mark.parametrize("address", PRIVATE)
async def test_nothing_goes_to_an_address_that_is_not_public(home: Path, address: str) -> None:
    assert not is_public(address)
    caller = SafeClient(settings_in(home), resolving(address), NO_TLS)
    with pytest.raises(Unreachable, match="not public"):
        await caller.post("https://ats.example.org/", "{}", {})


@pytest.mark.parametrize(
    "address", ["93.184.215.14", "8.8.8.8", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::ffff:8.8.8.8"]
)
def test_the_internet_is_public(address: str) -> None:
    assert is_public(address)


async def test_one_private_address_among_public_ones_is_enough(home: Path) -> None:
    caller = SafeClient(settings_in(home), resolving("8.8.8.8", "10.0.0.1"), NO_TLS)
    with pytest.raises(Unreachable, match="not public"):
        await caller.post("https://ats.example.org/", "{}", {})


@pytest.mark.parametrize("host", ["127.1", "2130706433", "0x7f000001", "localhost", "127.0.0.1.", "[::ffff:127.0.0.1]"])
async def test_other_spellings_of_this_machine_lead_nowhere(home: Path, host: str) -> None:
    with pytest.raises(Unreachable):
        await SafeClient(settings_in(home), tls=NO_TLS).post(f"https://{host}:8443/", "{}", {})


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://ats.example.org/", "https://"),
        ("ftp://ats.example.org/", "https://"),
        ("https://name:word@ats.example.org/", "password"),
        ("https://ats.example.org/#x", "fragment"),
        ("https:///path", "host"),
        ("https://ats.example.org:22/", "port"),
        ("https://ats.example.org:99999/", "web address"),
        ("https://[::1/", "web address"),
        ("https://127.0.0.1/", "public"),
        ("https://[::ffff:10.0.0.1]/", "public"),
        ("https://localhost/", "public"),
        ("https://gradus.example.org/api/session", "own"),
        ("https://gradus.example.org./api/session", "own"),
        ("https://gradus.example.org:8000/api/session", ""),
    ],
)
def test_addresses_are_refused_before_anything_is_asked(home: Path, url: str, told: str) -> None:
    found = url_problem(url, settings_in(home, public_url="https://gradus.example.org"))
    assert told in found
    assert bool(found) == bool(told)


async def test_a_service_calls_itself_by_no_name(home: Path) -> None:
    async with receiver() as ear:
        settings = settings_in(home, port=ear.port, webhooks_private=True)
        for host in ("127.0.0.1", "localhost"):
            assert "own" in url_problem(f"http://{host}:{ear.port}/", settings)
        caller = SafeClient(settings, resolving("127.0.0.1"))
        with pytest.raises(Unreachable, match="own"):
            await caller.post(f"http://ats.example.org:{ear.port}/", "{}", {})
        assert ear.messages == []


async def test_the_connection_goes_to_the_address_that_was_looked_at(home: Path) -> None:
    asked = []

    async def look_up(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"]

    async with receiver() as ear:
        caller = SafeClient(settings_in(home, webhooks_private=True), look_up)
        answer = await caller.post(f"http://ats.example.org:{ear.port}/x", "{}", {"webhook-id": "1"})
    assert (answer.code, asked) == (204, ["ats.example.org"]), "nobody asked again: the name cannot be rebound"
    assert ear.messages[0].headers["host"] == f"ats.example.org:{ear.port}"


async def test_the_certificate_is_that_of_the_name(home: Path) -> None:
    serving, trusting = certified(home, "ats.example.org")
    async with receiver(serving) as ear:
        caller = SafeClient(settings_in(home, webhooks_private=True), resolving("127.0.0.1"), trusting)
        assert (await caller.post(f"https://ats.example.org:{ear.port}/", "{}", {})).code == 204
        with pytest.raises(Unreachable, match="certificate"):
            await caller.post(f"https://evil.example.org:{ear.port}/", "{}", {})


async def test_little_is_read_of_an_answer_and_nothing_of_a_private_one(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "200 OK\r\nContent-Length: 1000000\r\n\r\n" + "a\x1b" * 5000
    async with receiver() as ear:
        caller = SafeClient(settings_in(home, webhooks_private=True))
        ear.answers = [long, long]
        assert (await caller.post(f"http://127.0.0.1:{ear.port}/", "{}", {})).text == ""
        monkeypatch.setattr(safe_requests, "is_public", lambda address: True)
        text = (await caller.post(f"http://127.0.0.1:{ear.port}/", "{}", {})).text
    assert text == "a\N{REPLACEMENT CHARACTER}" * 250


async def test_whoever_does_not_answer_is_given_up(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe_requests, "TIMEOUT_S", 0.2)
    async with receiver() as ear:
        ear.answers = ["200 OK\r\nContent-Length: 5\r\n\r\n"]
        monkeypatch.setattr(safe_requests, "is_public", lambda address: True)
        caller = SafeClient(settings_in(home, webhooks_private=True))
        with pytest.raises(Unreachable):
            await caller.post(f"http://127.0.0.1:{ear.port}/", "{}", {})


def certified(folder: Path, name: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return a TLS context for a server, with a certificate for this name, and a TLS context for a client that trusts the
    certificate.
    """
    key, subject = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    moment = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(moment - datetime.timedelta(days=1))
        .not_valid_after(moment + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    folder.joinpath("both.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM) + pem)
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(folder / "both.pem")
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.load_verify_locations(folder / "both.pem")
    return serving, trusting
