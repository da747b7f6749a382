"""Guessing passwords: it is slow for whoever guesses and for nobody else, and it tells nothing about who has an account."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.accounts import secrets as hashing
from api.accounts.throttle import MAX_KEYS, Throttle, network
from tests.api.running_service import Service, running, settings_in

anyio = pytest.mark.anyio
RIGHT, WRONG = "ten characters", "something else"
EVE, ADA_AT_HOME, ADA_AWAY = "203.0.113.5", "2001:db8:a:b::7", "192.0.2.44"
# Her computer takes another address of the house every day.
ADA_AT_HOME_LATER = "2001:db8:a:b:d00d::1"


@pytest.fixture
async def behind_proxy(home: Path) -> AsyncIterator[Service]:
    """A service that learns addresses from a proxy, as one on the internet does."""
    given = {"sign_in_failures": 3, "sign_in_failures_per_account": 6, "sign_in_failures_per_address": 8}
    async with running(settings_in(home, trusted_proxies="127.0.0.1", **given)) as service:
        yield service


async def attempt(service: Service, address: str, password: str, email: str = "ada@example.org") -> httpx.Response:
    """One sign-in from an address."""
    client = service.client(headers={"X-Forwarded-For": address})
    answer = await client.post("/api/session", json={"email": email, "password": password})
    await client.aclose()
    return answer


async def register(service: Service, address: str, email: str = "ada@example.org") -> httpx.Response:
    """A new account."""
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
@pytest.mark.usefixtures("heavy_passwords")
async def test_unknown_email_takes_as_long_as_a_known_one(home: Path) -> None:
    given = {"sign_in_failures": 1000, "sign_in_failures_per_address": 1000, "trusted_proxies": "127.0.0.1"}
    async with running(settings_in(home, **given)) as service:
        await register(service, EVE)
        took: dict[str, list[float]] = {"ada@example.org": [], "nobody@example.org": []}
        for _ in range(4):
            for email, times in took.items():
                times.append(await _timed(attempt(service, EVE, WRONG, email)))
        known, unknown = (min(times) for times in took.values())
        # Without a hash the answer comes ten times as fast; the machine may be noisy.
        assert 0.5 < known / unknown < 2, took
        taken = min([await _timed(register(service, EVE)) for _ in range(3)])
        free = min([await _timed(register(service, EVE, f"new{number}@example.org")) for number in range(3)])
        assert 0.5 < taken / free < 2, (taken, free)


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


async def _timed(work: Any) -> float:
    started = time.perf_counter()
    await work
    return time.perf_counter() - started
