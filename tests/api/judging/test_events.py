"""Tests that the event stream is complete for clients that follow it live, resume it, or connect late."""

import asyncio
from pathlib import Path

import pytest

from api.judging.dispatch.connected_nodes import NOT_NOW
from api.judging.submissions.events import START, parse_event_id
from grader.contract import transport
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Service, running, settings_in
from tests.api.scripted_node import result_of

anyio = pytest.mark.anyio


@anyio
async def test_stream_tells_the_whole_story_live_and_afterwards(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    sent = await ada.send()
    live = ada.follow(sent["id"])
    told = [await anext(live)]  # read it before a node is ready, so that the stream shows the submission in the queue
    await node.ready()
    await node.judge(await node.take())
    told += [event async for event in live if "id" in event]
    assert [event["event"] for event in told] == ["queued", "judging", "test", "test", "test", "judged"]
    assert told[0]["data"]["position"] == 1
    assert [event["data"].get("done") for event in told[2:5]] == [1, 2, 3]
    assert told[-1]["data"]["verdict"] == "AC"
    late = await ada.events(sent["id"])
    assert [event["id"] for event in late] == [event["id"] for event in told]
    assert late[1:] == told[1:]


@anyio
async def test_stream_resumes_after_the_last_event_seen(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    sent = await ada.send()
    await node.ready()
    job = await node.take()
    await node.say(transport.Progress(job.id, job.token, 1, 3, result_of("test_zero")))
    seen = ""
    async for event in ada.follow(sent["id"]):
        seen = event.get("id", seen)
        if event["event"] == "test":
            break
    resumed = asyncio.create_task(ada.events(sent["id"], seen))
    await node.say(transport.Progress(job.id, job.token, 2, 3, result_of("test_secret_number")))
    await node.judge(job)
    assert [event["event"] for event in await resumed if "id" in event][:1] == ["test"]
    assert [event["data"].get("done") for event in await ada.events(sent["id"], seen)] == [2, 3, None]


@anyio
async def test_lost_attempt_is_told_and_its_tests_begin_anew(service: Service) -> None:
    ada, first = await service.person(), await service.node("first")
    sent = await ada.send()
    live = asyncio.create_task(ada.events(sent["id"]))
    await first.ready()
    job = await first.take()
    await first.say(transport.Progress(job.id, job.token, 1, 3, result_of("test_zero")))
    await asyncio.sleep(0.1)
    first.kill()
    second = await service.node("second")
    await second.ready()
    await second.judge(await second.take())
    names = [event["event"] for event in await live if "id" in event]
    assert names == ["queued", "judging", "test", "queued", "judging", "test", "test", "test", "judged"]


@anyio
async def test_waiting_people_see_their_place_change(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    await ada.send(source="x = 1")
    second = await ada.send(source="x = 2")
    stream = ada.follow(second["id"])
    assert (await anext(stream))["data"]["position"] == 2
    await node.ready()
    await node.take()
    hint = await anext(stream)
    assert (hint["event"], hint["data"]["position"], "id" in hint) == ("queued", 1, False)
    await stream.aclose()


@anyio
async def test_who_waits_reads_a_plain_sentence_and_operators_read_the_reason(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    await node.say(transport.Unavailable("The Docker engine does not answer."))
    sent = await ada.send()
    stream = ada.follow(sent["id"])
    assert (await anext(stream))["data"]["reason"] == NOT_NOW
    for told in ((await ada.get(sent["id"]))["queue"], (await ada.http.get("/api/queue")).json()):
        assert told["reason"] == NOT_NOW
    await stream.aclose()
    ready = await ada.http.get("/api/ready")
    assert (ready.status_code, ready.json()["grading"]["reason"]) == (503, "The Docker engine does not answer.")
    await node.ready()
    await node.take()
    assert (await ada.http.get("/api/ready")).status_code == 200


@anyio
async def test_quiet_stream_is_kept_alive_and_ends_when_the_service_stops(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home, keep_alive_s=0.1)) as service:
        ada = await service.person()
        sent = await ada.send()
        async with ada.http.stream("GET", f"/api/submissions/{sent['id']}/events") as answer:
            lines = answer.aiter_lines()
            async with asyncio.timeout(5):
                while await anext(lines) != ": ping":
                    pass
                service.state.hub.close()
                assert [line async for line in lines if line not in ("", ": ping")] == []


@anyio
async def test_streams_of_one_account_are_limited_and_given_back(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home, streams_per_account=1)) as service:
        ada = await service.person()
        sent = await ada.send()
        stream = ada.follow(sent["id"])
        await anext(stream)
        assert (await ada.http.get(f"/api/submissions/{sent['id']}/events")).status_code == 429
        await ada.http.post(f"/api/submissions/{sent['id']}/cancel")
        assert [event["event"] async for event in stream] == ["cancelled"]
        assert [event["event"] for event in await ada.events(sent["id"])] == ["queued", "cancelled"]


@anyio
async def test_strangers_stream_is_not_found(service: Service) -> None:
    ada, bob = await service.person("ada"), await service.person("bob")
    sent = await ada.send()
    assert (await bob.http.get(f"/api/submissions/{sent['id']}/events")).status_code == 404


@pytest.mark.parametrize("text", [None, "", "1", "1.2", "1.2.x", "1.2.-3", "1.2.³", "9" * 50 + ".1.1", "1.2.3.4"])
def test_strange_event_id_means_from_the_start(text: str | None) -> None:
    assert parse_event_id(text) == START


def test_event_id_is_read_back() -> None:
    assert parse_event_id("2.1.1000000") == (2, 1, 1_000_000)
