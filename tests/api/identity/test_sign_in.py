"""Tests the protection against guessed passwords. It slows down only the attacker, and does not reveal which accounts exist."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path

import httpx
import pytest
from pwdlib import PasswordHash

from api.identity.accounts import hashing
from api.kit.http.throttle import MAX_KEYS, Throttle, network
from tests.api.running_service import Service, running, settings_in

anyio = pytest.mark.anyio
RIGHT, WRONG = "ten characters", "something else"
EVE, ADA_AT_HOME, ADA_AWAY = "203.0.113.5", "2001:db8:a:b::7", "192.0.2.44"
# Ada's computer gets another IPv6 address in the same network every day.
ADA_AT_HOME_LATER = "2001:db8:a:b:d00d::1"


@pytest.fixture
async def behind_proxy(home: Path) -> AsyncIterator[Service]:
    """A service behind a proxy that reports client addresses."""
    given = {"sign_in_failures": 3, "sign_in_failures_per_account": 6, "sign_in_failures_per_address": 8}
    async with running(settings_in(home, trusted_proxies="127.0.0.1", **given)) as service:
        yield service


async def attempt(service: Service, address: str, password: str, email: str = "ada@example.org") -> httpx.Response:
    """Try to sign in from this IP address."""
    client = service.client(headers={"X-Forwarded-For": address})
    answer = await client.post("/api/session", json={"email": email, "password": password})
    await client.aclose()
    return answer


async def register(service: Service, address: str, email: str = "ada@example.org") -> httpx.Response:
    """Register an account from this IP address."""
    body = {"email": email, "name": "Ada", "password": RIGHT}
    client = service.client(headers={"X-Forwarded-For": address})
    answer = await client.post("/api/accounts", json=body)
    await client.aclose()
    return answer


@anyio
async def test_who_hammers_from_one_address_locks_only_himself_out(behind_proxy: Service) -> None:
    await register(behind_proxy, ADA_AT_HOME)
    codes = [(await attempt(behind_proxy, EVE, WRONG)).status_code for _ in range(9)]
    assert codes == [401] * 3 + [429] * 6
    late = await attempt(behind_proxy, EVE, RIGHT)
    assert late.status_code == 429, "a right guess does not help who may not guess"
    assert 1 <= int(late.headers["retry-after"]) <= 300
    for address in (ADA_AT_HOME, ADA_AWAY):
        assert (await attempt(behind_proxy, address, RIGHT)).status_code == 200


@anyio
async def test_who_guesses_from_everywhere_does_not_lock_the_owner_out_at_home(behind_proxy: Service) -> None:
    await register(behind_proxy, ADA_AT_HOME)
    codes = [(await attempt(behind_proxy, f"203.0.113.{number}", WRONG)).status_code for number in range(8)]
    assert codes == [401] * 6 + [429] * 2
    assert (await attempt(behind_proxy, ADA_AT_HOME_LATER, RIGHT)).status_code == 200
    assert (await attempt(behind_proxy, "203.0.113.99", WRONG)).status_code == 429, "nor does that help the others"
    assert (await attempt(behind_proxy, ADA_AWAY, RIGHT)).status_code == 429, "the price: elsewhere one has to wait"


@anyio
async def test_one_address_guesses_for_many_accounts(behind_proxy: Service) -> None:
    codes = [(await attempt(behind_proxy, EVE, WRONG, f"p{number}@example.org")).status_code for number in range(10)]
    assert codes == [401] * 8 + [429] * 2


@anyio
async def test_a_whole_ipv6_site_is_one_address(behind_proxy: Service) -> None:
    codes = [(await attempt(behind_proxy, f"2001:db8:1:2::{number:x}", WRONG)).status_code for number in range(1, 5)]
    assert codes == [401, 401, 401, 429]
    assert (await attempt(behind_proxy, "2001:db8:1:3::1", WRONG)).status_code == 401


@anyio
async def test_unknown_email_is_answered_and_slowed_down_like_a_known_one(behind_proxy: Service) -> None:
    await register(behind_proxy, ADA_AT_HOME)
    for number in range(5):
        known = await attempt(behind_proxy, EVE, WRONG)
        unknown = await attempt(behind_proxy, EVE, WRONG, "nobody@example.org")
        assert known.status_code == unknown.status_code == (401 if number < 3 else 429)
        assert known.json() == unknown.json()
        assert known.headers.keys() == unknown.headers.keys()


@anyio
async def test_unknown_email_costs_the_same_hashes_as_a_known_one(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"sign_in_failures": 1000, "sign_in_failures_per_address": 1000, "trusted_proxies": "127.0.0.1"}
    work: list[tuple[str, str]] = []
    monkeypatch.setattr(hashing, "_passwords", _Recorder(hashing._passwords, work))
    async with running(settings_in(home, **given)) as service:

        async def cost_of(request: Awaitable[httpx.Response]) -> list[tuple[str, str]]:
            work.clear()
            await request
            return list(work)

        created = await cost_of(register(service, EVE))
        known = await cost_of(attempt(service, EVE, WRONG))
        unknown = await cost_of(attempt(service, EVE, WRONG, "nobody@example.org"))
        assert [kind for kind, _ in created] == ["hash"]
        assert [kind for kind, _ in known] == ["verify"]
        assert unknown == known
        assert await cost_of(register(service, EVE)) == created, "an address that is taken"


class _Recorder:
    """Records each hash and each verification with its argon2 parameters. The tests compare these records instead of durations,
    because nearly all the time of a sign-in is spent on them.
    """

    def __init__(self, passwords: PasswordHash, work: list[tuple[str, str]]) -> None:
        self._passwords, self._work = passwords, work

    def hash(self, password: str) -> str:
        made = self._passwords.hash(password)
        self._work.append(("hash", made.rpartition("$")[0].rpartition("$")[0]))
        return made

    def verify(self, password: str, stored: str) -> bool:
        self._work.append(("verify", stored.rpartition("$")[0].rpartition("$")[0]))
        return self._passwords.verify(password, stored)


@anyio
@pytest.mark.usefixtures("heavy_passwords")
async def test_line_for_hashes_is_short(behind_proxy: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashing, "LINE", 3)
    answers = await asyncio.gather(
        *(attempt(behind_proxy, f"203.0.113.{n}", WRONG, f"p{n}@example.org") for n in range(9))
    )
    refused = [answer for answer in answers if answer.status_code == 429]
    assert {answer.status_code for answer in answers} == {401, 429}
    assert refused[0].headers["retry-after"] == "5"
    assert (await attempt(behind_proxy, EVE, WRONG)).status_code == 401, "the line is given back"


def test_throttle_remembers_a_bounded_number_of_keys() -> None:
    throttle = Throttle(5, 300)
    for number in range(200_000):
        throttle.count(f"{number}@example.org")
    assert len(throttle) == MAX_KEYS
    for _ in range(100):
        throttle.count("199999@example.org")
    assert throttle.wait_s("199999@example.org") > 0
    assert throttle.wait_s("0@example.org") == 0


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("", ""),
        ("unix", "unix"),
    ],
)
def test_network_is_what_one_person_has(address: str, told: str) -> None:
    assert network(address) == told


async def sign_in_on(device: httpx.AsyncClient, password: str, email: str = "ada@example.org") -> int:
    """Sign in on a device, which may have cookies of earlier sign-ins. Return the status of the response."""
    await device.delete("/api/session")
    return (await device.post("/api/session", json={"email": email, "password": password})).status_code


@anyio
async def test_who_was_signed_in_on_a_device_is_not_locked_out_by_others_behind_the_same_address(
    behind_proxy: Service,
) -> None:
    """Failed sign-ins from an address must not lock out a device on which the person was signed in before. Many people in an
    office or a school share an address. If the service does not trust its proxy, all clients seem to have the proxy's address.
    """
    device, bobs = (behind_proxy.client(headers={"X-Forwarded-For": EVE}) for _ in range(2))
    for client, email in ((device, "ada@example.org"), (bobs, "bob@example.org")):
        told = await client.post("/api/accounts", json={"email": email, "name": "Somebody", "password": RIGHT})
        assert told.status_code == 201
    for number in range(8):
        await attempt(behind_proxy, EVE, WRONG, f"p{number}@example.org")
    for number in range(6):
        await attempt(behind_proxy, f"203.0.113.{100 + number}", WRONG)
    assert (await attempt(behind_proxy, EVE, RIGHT)).status_code == 429, "a device that nobody knows waits"
    assert await sign_in_on(bobs, RIGHT) == 429, "bob's device says nothing of ada"
    assert await sign_in_on(device, RIGHT) == 200
    assert (await attempt(behind_proxy, EVE, RIGHT)).status_code == 429, "nor does that help the others"


@anyio
async def test_a_device_that_is_known_may_not_guess_for_ever(behind_proxy: Service) -> None:
    device = behind_proxy.client(headers={"X-Forwarded-For": ADA_AT_HOME})
    await device.post("/api/accounts", json={"email": "ada@example.org", "name": "Ada", "password": RIGHT})
    assert [await sign_in_on(device, WRONG) for _ in range(4)] == [401, 401, 401, 429]
    assert await sign_in_on(device, RIGHT) == 429


@anyio
async def test_a_new_password_forgets_all_devices_but_this_one(behind_proxy: Service) -> None:
    here, there = (behind_proxy.client(headers={"X-Forwarded-For": ADA_AT_HOME}) for _ in range(2))
    await here.post("/api/accounts", json={"email": "ada@example.org", "name": "Ada", "password": RIGHT})
    assert await sign_in_on(there, RIGHT) == 200
    new = "another ten characters"
    told = await here.post("/api/me/password", json={"current": RIGHT, "password": new})
    assert told.status_code == 200
    for number in range(8):
        await attempt(behind_proxy, ADA_AT_HOME, WRONG, f"p{number}@example.org")
    assert await sign_in_on(there, new) == 429
    assert await sign_in_on(here, new) == 200


@pytest.mark.parametrize(
    ("told", "warned"),
    [
        ({"public_url": "https://gradus.example.org"}, True),
        ({"public_url": "https://gradus.example.org", "trusted_proxies": "127.0.0.1"}, False),
        ({"public_url": "http://gradus.example.org"}, False),
        ({}, False),
    ],
)
@anyio
async def test_a_proxy_that_nobody_trusts_is_told_at_the_start(
    home: Path, told: dict[str, str], warned: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """The service must warn at its start if it is public but trusts no proxy. Behind a proxy that is not trusted, all clients
    count as one address, and fifty wrong passwords lock everyone out.
    """
    (home / "challenges").mkdir()
    async with running(settings_in(home, **told)):
        pass
    assert ("GRADUS_TRUSTED_PROXIES" in capsys.readouterr().out) == warned
