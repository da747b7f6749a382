"""Tests challenges that are judged on GPUs only: the site serves them while a node with a GPU belongs to it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from api.content.catalogue.service import CatalogueStore
from api.judging.dispatch import offered_devices
from api.judging.nodes import tokens
from grader.content.package_cache import PackageCache
from tests.api.challenge_folders import write_challenge, write_for_both
from tests.api.hiring.taking_rig import Clock, Rig
from tests.api.running_service import WITHIN_S, Service, running, settings_in
from tests.api.topic_folders import write_topic, write_track

pytestmark = pytest.mark.anyio
WHY = "“Add on a GPU” needs a GPU, and this site has no GPU node. It becomes available when one joins."


def write_for_gpus(root: Path, slug: str = "on-gpu") -> None:
    told = write_challenge(root, slug, title="Add on a GPU") / "challenge.toml"
    told.write_text(told.read_text().replace("minutes = 3", 'minutes = 3\ndevices = ["cuda"]'))


@pytest.fixture
async def site(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Service]:
    monkeypatch.setattr(offered_devices, "EVERY_S", 0.02)
    root = home / "challenges"
    write_challenge(root)
    write_for_both(root)
    write_for_gpus(root)
    write_topic(root, challenges=("add-one", "on-gpu"))
    write_track(root)
    (root / "follow_ups.toml").write_text('add-one = ["on-gpu", "on-both"]\n')
    async with running(settings_in(home)) as service:
        yield service


async def slugs(service: Service, **wanted: str) -> list[str]:
    answer = await service.client().get("/api/challenges", params=wanted)
    return [item["slug"] for item in answer.json()["items"]]


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(WITHIN_S):
        while not await holds():
            await asyncio.sleep(0.02)


async def offered(service: Service) -> bool:
    return "on-gpu" in await slugs(service)


async def withdrawn(service: Service) -> bool:
    return not await offered(service)


async def test_without_a_gpu_node_nothing_offers_it(site: Service) -> None:
    client = site.client()
    assert await slugs(site) == ["add-one", "on-both"]
    assert await slugs(site, q="GPU") == []
    assert (await client.get("/api/catalogue")).json()["challenges"] == 2
    found = (await client.get("/api/search", params={"q": "Add on a GPU"})).json()["items"]
    assert "on-gpu" not in [each["id"] for each in found]
    topic = (await client.get("/api/topics/adding")).json()
    assert (topic["challenges"], [each["slug"] for each in topic["items"]]) == (["add-one"], ["add-one"])
    (track,) = (await client.get("/api/tracks")).json()["items"]
    assert track["challenges"] == 1
    base = (await client.get("/api/challenges/add-one")).json()
    assert [each["id"] for each in base["follow_ups"]] == ["on-both"]
    report = (await (await site.admin()).http.get("/api/admin/catalogue")).json()
    assert (report["challenges"], report["left_out"]) == (2, []), "it is no fault of the folder"


async def test_its_address_says_what_is_missing(site: Service) -> None:
    ada = await site.person()
    for answer in (
        await ada.http.get("/api/challenges/on-gpu"),
        await ada.http.post("/api/submissions", json={"slug": "on-gpu", "source": "x = 1", "kind": "submit"}),
    ):
        told = answer.json()
        assert (answer.status_code, told["code"], told["message"]) == (404, "needs_gpu_node", WHY)


async def test_it_opens_with_the_first_gpu_node_and_is_judged_there(site: Service) -> None:
    before = (await site.client().get("/api/challenges")).headers["ETag"]
    node = await site.node("gpu-1", device="cuda", slots=1)
    await until(lambda: offered(site))
    client = site.client()
    assert (await client.get("/api/challenges", headers={"If-None-Match": before})).status_code == 200
    assert (await client.get("/api/challenges/on-gpu")).json()["devices"] == ["cuda"]
    assert (await client.get("/api/topics/adding")).json()["challenges"] == ["add-one", "on-gpu"]
    assert (await client.get("/api/challenges/on-gpu")).json()["follow_up_to"]["id"] == "add-one"
    await node.ready(other=1)
    ada = await site.person()
    # Nobody has to choose a device.
    for kind in ("run", "submit"):
        sent = await ada.http.post("/api/submissions", json={"slug": "on-gpu", "source": f"x = '{kind}'", "kind": kind})
        assert (sent.status_code, sent.json()["device"]) == (201, "cuda")
    scratch = await ada.http.post("/api/scratch", json={"slug": "on-gpu", "source": "x = 1", "snippet": "x"})
    assert scratch.json()["device"] == "cuda"
    assert (await ada.send("on-both"))["device"] == "cpu"
    refused = await ada.http.post(
        "/api/submissions", json={"slug": "on-gpu", "source": "x = 2", "kind": "submit", "device": "cpu"}
    )
    assert refused.json()["message"] == "on-gpu is not judged on cpu; choose cuda."
    job = await node.take()
    assert (job.slug, job.device) == ("on-gpu", "cuda")


async def test_neither_assessments_nor_rooms_have_to_name_the_device(site: Service) -> None:
    node = await site.node("gpu-1", device="cuda", slots=2)
    await until(lambda: offered(site))
    owner = await site.person()
    team = (await owner.http.post("/api/teams", json={"name": "Tensor people"})).json()["id"]
    item = {"key": "one", "points": 10, "choices": [{"kind": "challenge", "name": "on-gpu"}]}
    rig = Rig(site, owner, Clock(), team)
    await rig.assess(sections=[{"key": "code", "title": "Code", "items": [item]}])
    taker = await rig.start((await rig.invite())["token"])
    await taker.open()
    snippet = {"source": "x = 1", "snippet": "x"}
    room = await owner.http.post(f"/api/teams/{team}/rooms", json={"title": "Second round", "challenges": ["on-gpu"]})
    path = f"/api/rooms/{room.json()['room_id']}"
    await owner.http.post(f"{path}/challenge", json={"name": "on-gpu"})
    for sent in (
        await taker.send("x = 1"),
        await taker.http.post("/api/participation/items/1/scratch", json=snippet),
        await owner.http.post(f"{path}/submissions", json={"kind": "submit"}),
    ):
        assert sent.status_code == 201, sent.text
        await node.ready(other=1)
        job = await node.take()
        assert (job.slug, job.device) == ("on-gpu", "cuda")
        await node.judge(job)


async def test_it_stays_while_a_node_with_a_token_is_away_and_closes_when_the_token_is_revoked(site: Service) -> None:
    db = site.state.db
    async with db.write() as session:
        await tokens.make(session, "gpu-1")
    await asyncio.sleep(0.1)
    assert await withdrawn(site), "a token alone says nothing about a device"
    async with db.write() as session:
        await tokens.joined(session, "gpu-1", "cuda")
    await until(lambda: offered(site))
    async with db.write() as session:
        await tokens.revoke(session, "gpu-1")
    await until(lambda: withdrawn(site))
    assert (await site.client().get("/api/challenges/on-gpu")).json()["message"] == WHY


async def test_a_service_that_starts_knows_the_devices_before_it_answers(home: Path) -> None:
    write_for_gpus(home / "challenges")
    async with running(settings_in(home)) as service:
        assert await withdrawn(service)
        async with service.state.db.write() as session:
            await tokens.make(session, "gpu-1")
            await tokens.joined(session, "gpu-1", "cuda")
    async with running(settings_in(home)) as service:
        assert await offered(service)


def test_reading_the_folders_again_keeps_the_devices(home: Path) -> None:
    write_for_gpus(home / "challenges")
    store = CatalogueStore(home / "challenges", PackageCache(home / "kept"), serve_unproven=True)
    assert store.reload().by_slug == {}
    assert store.offer({"cpu", "cuda"})
    assert not store.offer({"cuda", "cpu"})
    package = store.reload().get("on-gpu").package
    assert store.version(package.digest) is not None
    assert store.offer({"cpu"})
    assert store.catalogue.by_slug == {}
    assert store.catalogue.known("on-gpu") is None
