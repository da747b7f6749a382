"""Tests that each device (CPU or GPU) has its own queue. A submission for a GPU that is absent waits, shows the reason, and
does not delay other submissions.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from grader.contract import subjects, transport
from tests.api.challenge_folders import write_challenge, write_for_both
from tests.api.judging.nodes.remote_rig import place
from tests.api.judging.nodes.test_remote_refusals import HELLO, a_line, greeted
from tests.api.running_service import Service, running, settings_in
from tests.api.scripted_node import dial

pytestmark = pytest.mark.anyio
NO_GPU = "No node with a GPU is connected."
NOT_NOW = "The grader cannot judge at the moment. Your submission is saved and will be judged as soon as possible."


@pytest.fixture
async def both(home: Path) -> AsyncIterator[Service]:
    """A service with a challenge for CPUs and GPUs, and a low limit on the length of a queue."""
    write_challenge(home / "challenges")
    write_for_both(home / "challenges")
    async with running(settings_in(home, queue_limit=2, unfinished_per_account=2)) as service:
        yield service


async def test_a_device_that_the_challenge_does_not_declare_is_refused(both: Service) -> None:
    ada = await both.person()
    told = (await ada.http.get("/api/challenges/on-both")).json()
    assert told["devices"] == ["cpu", "cuda"]
    for path, more in (("submissions", {"kind": "submit"}), ("scratch", {"snippet": "1"})):
        body = {"slug": "add-one", "source": "x = 1\n", **more}
        refused = await ada.http.post(f"/api/{path}", json={**body, "device": "cuda"})
        assert (refused.status_code, refused.json()["code"]) == (422, "device_not_offered")
        assert refused.json()["message"] == "add-one is not judged on cuda; choose cpu."
        assert (await ada.http.post(f"/api/{path}", json={**body, "device": "tpu"})).status_code == 422


async def test_without_a_gpu_it_waits_and_says_so_and_cpus_go_on(both: Service) -> None:
    ada, bob, node = await both.person("ada"), await both.person("bob"), await both.node()
    await node.ready(other=2)
    waiting = [await ada.send("on-both", device="cuda", source=f"x = {number}") for number in range(2)]
    assert [sent["queue"]["position"] for sent in waiting] == [1, 2]
    assert {sent["queue"]["reason"] for sent in waiting} == {NO_GPU}
    assert {sent["queue"]["expected_wait_s"] for sent in waiting} == {None}
    # The queue for GPUs is full. The queue for CPUs is empty, so a submission to it is first in line.
    full = await bob.http.post(
        "/api/submissions", json={"slug": "on-both", "kind": "submit", "source": "y = 1", "device": "cuda"}
    )
    assert full.status_code == 429
    sent = await bob.send("on-both")
    assert sent["queue"] == {"position": 1, "expected_wait_s": 0.0, "reason": None}
    job = await node.take()
    assert (job.slug, job.device) == ("on-both", "cpu")
    await node.judge(job)
    assert (await bob.until(sent["id"], "judged"))["verdict"] == "AC"
    assert await node.silent()
    assert (await both.client().get("/api/queue")).json()["queued"] == 0
    for_gpus = (await both.client().get("/api/queue", params={"device": "cuda"})).json()
    assert (for_gpus["queued"], for_gpus["slots"], for_gpus["reason"]) == (2, 0, NO_GPU)


async def test_a_node_with_a_gpu_takes_what_waited(both: Service) -> None:
    ada = await both.person()
    sent = await ada.send("on-both", device="cuda")
    on_cpu = await ada.send("on-both")
    gpu = await both.node("gpu", device="cuda", slots=1)
    await gpu.ready(other=1)
    job = await gpu.take()
    assert (job.id != on_cpu["id"], job.device) == (True, "cuda")
    told = await ada.get(sent["id"])
    assert told["status"] == "judging"
    await gpu.judge(job)
    assert (await ada.until(sent["id"], "judged"))["device"] == "cuda"
    await gpu.ready(other=1)
    assert await gpu.silent()
    # The service counts as ready only if a node with CPUs is there, because nearly everything is judged on CPUs.
    ready = (await both.client().get("/api/ready")).json()
    assert (ready["ready"], ready["slots"]) == (False, 0)


async def test_the_reason_changes_for_whoever_watches(both: Service) -> None:
    ada = await both.person()
    sent = await ada.send("on-both", device="cuda")
    reasons = []
    async for event in ada.follow(sent["id"]):
        reasons.append(event["data"]["reason"])
        if len(reasons) == 1:
            gpu = await both.node("gpu", device="cuda", slots=1)
            await gpu.say(transport.Unavailable("the driver does not answer"))
        elif reasons[-1] != reasons[0]:
            break
    assert (reasons[0], reasons[-1]) == (NO_GPU, NOT_NOW)


async def test_a_node_that_names_too_few_gpus_gets_no_jobs_and_the_desk_says_why(both: Service) -> None:
    ada, admin = await both.person(), await both.admin()
    await ada.send("on-both", device="cuda")
    liar = await dial(both.settings.socket, "liar", "cpu", 2)
    await liar.say(transport.Hello("liar", "cuda", {"short": 0, "any": 2}, {}))
    liar.kill()
    gpu = await both.node("gpu", device="cuda", slots=1)
    nodes = both.state.dispatcher.nodes
    known = next(node for node in nodes.all() if node.name == "gpu")
    known.hello = msgspec.structs.replace(known.hello, gpus=())
    await gpu.ready()
    assert await gpu.silent()
    seen = (await admin.http.get("/api/admin/nodes")).json()["items"][0]
    assert (seen["device"], seen["gpus"]) == ("cuda", [])
    assert seen["reason"] == "The node says that it judges on GPUs, but names 0 for its 1 slot"
    assert nodes.reason("cuda") == f"{seen['reason']}."
    known.hello = msgspec.structs.replace(known.hello, gpus=("Test GPU",))
    async with asyncio.timeout(5):
        assert (await gpu.take()).device == "cuda"


async def test_a_far_node_with_more_slots_than_gpus_is_turned_away(home: Path) -> None:
    lying = msgspec.structs.replace(HELLO, device="cuda", slots={"short": 1, "any": 1}, gpus=("Test GPU",))
    async with place(home) as at:
        opened = await a_line(at)
        refused = await greeted(opened, lying)
        assert (refused.final, refused.refused) == (
            True,
            "The node says that it judges on GPUs, but names 1 for its 2 slots: a GPU has one tenant at a time.",
        )
        honest = await greeted(opened, msgspec.structs.replace(lying, gpus=("Test GPU", "Test GPU 2")))
        assert honest.home
        without = await greeted(opened, msgspec.structs.replace(lying, gpus=()))
        assert without.home, "it has said so itself, and may find one"
        assert subjects.WIRE in lying.versions.values()
        await opened.close()
