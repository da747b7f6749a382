"""Tests drafts over HTTP. A version number shows that another device has saved in the meantime, so that nobody overwrites a
change that they have not seen. A guest who signs in loses nothing.
"""

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Service, running, settings_in

pytestmark = pytest.mark.anyio
ADA = {"email": "ada@example.org", "name": "Ada", "password": "ten characters"}
PATH = "/api/drafts/add-one"


async def save(client: httpx.AsyncClient, source: str, version: int) -> httpx.Response:
    return await client.put(PATH, json={"source": source, "version": version})


async def kept(client: httpx.AsyncClient) -> dict[str, Any]:
    return dict((await client.get(PATH)).json())


async def test_draft_is_kept_and_there_on_any_device(service: Service) -> None:
    ada = await service.person()
    assert ((await kept(ada.http))["version"], (await kept(ada.http))["source"]) == (0, "")
    assert (await save(ada.http, "one", 0)).json()["version"] == 1
    assert (await save(ada.http, "two", 1)).json()["version"] == 2
    other_device = service.client()
    await other_device.post("/api/session", json={"email": ada.email, "password": "ten characters"})
    assert ((await kept(other_device))["source"], (await kept(other_device))["version"]) == ("two", 2)


async def test_device_that_has_not_seen_the_newest_gets_it_instead_of_overwriting(service: Service) -> None:
    ada = await service.person()
    await save(ada.http, "first", 0)
    await save(ada.http, "laptop", 1)
    refused = await save(ada.http, "phone", 1)
    assert (refused.status_code, refused.json()["code"]) == (409, "draft_conflict")
    draft = refused.json()["draft"]
    assert (draft["source"], draft["version"]) == ("laptop", 2)
    assert draft["saved_at"]
    assert (await kept(ada.http))["source"] == "laptop"
    assert (await save(ada.http, "both", draft["version"])).json()["version"] == 3


async def test_first_draft_of_two_devices_is_a_conflict_too(service: Service) -> None:
    ada = await service.person()
    await save(ada.http, "laptop", 0)
    assert (await save(ada.http, "phone", 0)).json()["draft"]["source"] == "laptop"


async def test_save_whose_answer_was_lost_may_be_sent_again(service: Service) -> None:
    ada = await service.person()
    for _ in range(2):
        again = await save(ada.http, "one", 0)
        assert (again.status_code, again.json()["version"]) == (200, 1)


async def test_draft_is_nobody_elses(service: Service) -> None:
    ada, bob = await service.person(), await service.person("bob")
    await save(ada.http, "ada's", 0)
    assert (await kept(bob.http))["source"] == ""
    await save(bob.http, "bob's", 0)
    assert (await kept(ada.http))["source"] == "ada's"
    assert (await (await service.admin()).http.get(PATH)).json()["source"] == ""


async def test_drafts_are_bounded(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = await service.person()
    large = await save(ada.http, "é" * 128 * 1024 + "x", 0)
    assert (large.status_code, large.json()["code"]) == (413, "source_too_large")
    assert (await ada.http.put("/api/drafts/nowhere", json={"source": "", "version": 0})).status_code == 404
    for version in (-1, 2**40, "1", None):
        assert (await ada.http.put(PATH, json={"source": "", "version": version})).status_code == 422
    monkeypatch.setattr(service.state.saves, "wait_s", lambda key: 3.0)
    refused = await save(ada.http, "x", 0)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "3")


@pytest.mark.parametrize("newer", ["guest", "account"])
async def test_both_drafts_are_kept_when_a_guest_signs_in(home: Path, newer: str) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home)) as service:
        device, guest = service.client(), service.client()
        await device.post("/api/accounts", json=ADA)
        await guest.post("/api/guest")
        clients = {"guest": guest, "account": device}
        older = "account" if newer == "guest" else "guest"
        await save(clients[older], f"of the {older}", 0)
        await save(clients[newer], f"of the {newer}", 0)
        signed_in = await guest.post("/api/session", json={"email": ADA["email"], "password": ADA["password"]})
        assert signed_in.status_code == 200
        found = await kept(guest)
        assert (found["source"], found["previous"]["source"]) == (f"of the {newer}", f"of the {older}")
        assert (await save(device, "from before", 1)).status_code == 409, "the device must look at it first"
        assert (await guest.delete(f"{PATH}/previous")).status_code == 204
        assert (await kept(guest))["previous"] is None


async def test_guests_draft_goes_to_a_new_account(service: Service) -> None:
    guest = service.client()
    await guest.post("/api/guest")
    await save(guest, "mine", 0)
    await guest.post("/api/accounts", json=ADA)
    assert ((await kept(guest))["source"], (await kept(guest))["previous"]) == ("mine", None)
