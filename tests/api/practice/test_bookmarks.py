"""Tests bookmarks and private notes."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Service, running, settings_in

pytestmark = pytest.mark.anyio
NOTE = "/api/me/notes/add-one"


@pytest.fixture
async def service(home: Path) -> AsyncIterator[Service]:
    """A service with two challenges."""
    write_challenge(home / "challenges")
    write_challenge(home / "challenges", "add-two", title="Add two")
    async with running(settings_in(home)) as service:
        yield service


async def test_bookmarks_are_listed_newest_first_and_belong_to_one_account(service: Service) -> None:
    ada, bob = await service.person("ada"), await service.person("bob")
    for slug in ("add-one", "add-two", "add-one"):
        assert (await ada.http.put(f"/api/me/bookmarks/{slug}")).status_code == 204
    assert (await ada.http.get("/api/me/marks")).json() == {"bookmarks": ["add-two", "add-one"], "notes": []}
    assert (await bob.http.get("/api/me/marks")).json()["bookmarks"] == []
    for _ in range(2):
        assert (await ada.http.delete("/api/me/bookmarks/add-two")).status_code == 204
    assert (await ada.http.get("/api/me/marks")).json()["bookmarks"] == ["add-one"]
    assert (await ada.http.put("/api/me/bookmarks/add-nothing")).status_code == 404


async def test_a_note_is_replaced_and_an_empty_one_is_deleted(service: Service) -> None:
    ada, bob = await service.person("ada"), await service.person("bob")
    assert (await ada.http.get(NOTE)).json() == {"text": "", "saved_at": None}
    for text in ("Mask first.", "Mask before the softmax."):
        assert (await ada.http.put(NOTE, json={"text": text})).json()["text"] == text
    assert (await ada.http.get(NOTE)).json()["text"] == "Mask before the softmax."
    assert (await bob.http.get(NOTE)).json()["text"] == ""
    assert (await ada.http.get("/api/me/marks")).json()["notes"] == ["add-one"]
    assert (await ada.http.put(NOTE, json={"text": " \n"})).json() == {"text": "", "saved_at": None}
    assert (await ada.http.get("/api/me/marks")).json()["notes"] == []
    assert (await ada.http.put(NOTE, json={"text": "x" * 10_001})).status_code == 422


async def test_signing_in_keeps_what_the_guest_marked(service: Service) -> None:
    ada = await service.person("ada")
    await ada.http.put("/api/me/bookmarks/add-one")
    await ada.http.put(NOTE, json={"text": "Of the account."})
    guest = service.client()
    assert (await guest.post("/api/guest")).status_code == 201
    for slug in ("add-one", "add-two"):
        assert (await guest.put(f"/api/me/bookmarks/{slug}")).status_code == 204
    await guest.put(NOTE, json={"text": "Of the guest."})
    await guest.put("/api/me/notes/add-two", json={"text": "Only the guest."})
    signed = await guest.post("/api/session", json={"email": "ada@example.org", "password": "ten characters"})
    assert signed.status_code in (200, 201), signed.text
    found = (await guest.get("/api/me/marks")).json()
    assert (sorted(found["bookmarks"]), found["notes"]) == (["add-one", "add-two"], ["add-one", "add-two"])
    assert (await guest.get(NOTE)).json()["text"] == "Of the account.\n\nOf the guest."
