"""Tests which metrics Prometheus reads from the real service, and what must not appear in them."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from api.ops.metrics.server import Metrics
from api.settings import ConfigurationError
from grader.contract import transport
from tests.api.challenge_folders import write_challenge
from tests.api.practice.speed_boards.measuring_rig import accepted, write_scored
from tests.api.running_service import NO_TLS, WITHIN_S, Service, running, settings_in
from tests.api.test_cli import free_port

pytestmark = pytest.mark.anyio
Figures = dict[tuple[str, frozenset[tuple[str, str]]], float]


@pytest.fixture
async def watched(home: Path) -> AsyncIterator[Service]:
    """A service with a port for metrics."""
    write_challenge(home / "challenges")
    async with running(settings_in(home, metrics_port=free_port())) as service:
        yield service


async def read(service: Service) -> Figures:
    """Return the value of every sample, by the sample's name and labels."""
    async with httpx.AsyncClient(timeout=WITHIN_S, trust_env=False, verify=NO_TLS) as client:
        answer = await client.get(f"http://127.0.0.1:{service.settings.metrics_port}/metrics")
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/plain")
    families = text_string_to_metric_families(answer.text)
    return {(each.name, frozenset(each.labels.items())): each.value for family in families for each in family.samples}


def value(figures: Figures, name: str, **labels: str) -> float:
    """Return the value of one sample, which must exist."""
    return figures[name, frozenset(labels.items())]


def growth(before: Figures, after: Figures, name: str, **labels: str) -> float:
    """Return by how much a value has increased. A value that did not exist before counts as 0, because the labels of a route
    appear only with its first request.
    """
    return value(after, name, **labels) - before.get((name, frozenset(labels.items())), 0.0)


async def test_measurements_that_wait_are_counted(home: Path) -> None:
    write_scored(home / "challenges")
    async with running(settings_in(home, metrics_port=free_port())) as service:
        assert value(await read(service), "gradus_measurements_waiting") == 0
        # This node judges, but does not measure.
        await accepted(service, await service.person(), await service.node())
        found = await read(service)
    assert value(found, "gradus_measurements_waiting") == 1
    assert 0 < value(found, "gradus_measurements_waiting_oldest_seconds") < WITHIN_S


async def test_one_submission_is_seen_from_the_queue_to_its_verdict(watched: Service) -> None:
    person = await watched.person()
    before = await read(watched)
    assert value(before, "gradus_queued", lane="short", device="cpu") == 0
    sent = await person.send()
    await asyncio.sleep(0.3)
    waiting = await read(watched)
    assert growth(before, waiting, "gradus_submissions_total", kind="submit") == 1
    lanes = {lane: value(waiting, "gradus_queued", lane=lane, device="cpu") for lane in ("short", "any")}
    assert sum(lanes.values()) == 1
    lane = next(name for name, many in lanes.items() if many)
    assert value(waiting, "gradus_queued_oldest_seconds", lane=lane, device="cpu") > 0.2
    node = await watched.node()
    await node.ready()
    job = await node.take()
    judged = await read(watched)
    assert value(judged, "gradus_queued", lane=lane, device="cpu") == 0
    assert value(judged, "gradus_being_judged", lane=lane, device="cpu") == 1
    await node.judge(job)
    await person.until(sent["id"], "judged")
    after = await read(watched)
    assert growth(before, after, "gradus_judgings_total", verdict="AC") == 1
    for name in ("gradus_judging_wait", "gradus_judging", "gradus_judging_whole"):
        assert growth(before, after, f"{name}_seconds_count") == 1
    assert growth(before, after, "gradus_judging_wait_seconds_sum") > 0.2
    whole = growth(before, after, "gradus_judging_whole_seconds_sum")
    parts = [growth(before, after, f"gradus_{part}_seconds_sum") for part in ("judging_wait", "judging")]
    assert whole == pytest.approx(sum(parts), abs=0.01)


async def test_requests_are_counted_by_template_and_never_by_what_somebody_wrote(watched: Service) -> None:
    person = await watched.person()
    before = await read(watched)
    for number in range(3):
        await person.http.get(f"/api/submissions/{number:032x}")
        await person.http.get(f"/api/made-up-{number}")
        await person.http.request(f"VERB{number}", "/api/health")
    after = await read(watched)
    route = "/api/submissions/{submission_id}"
    assert growth(before, after, "gradus_http_requests_total", method="GET", route=route, status="404") == 3
    assert growth(before, after, "gradus_http_answer_seconds_count", route=route) == 3
    assert growth(before, after, "gradus_http_requests_total", method="GET", route="other", status="404") == 3
    assert "made-up" not in str(after)
    assert "VERB" not in str(after)
    assert "ada@" not in str(after)


async def test_speed_of_the_slowest_node_that_has_measured_itself(watched: Service) -> None:
    assert ("gradus_nodes_slowest", frozenset({("device", "cpu")})) not in await read(watched)
    unmeasured = await watched.node(slots=1)
    await unmeasured.say(transport.Heartbeat(()))
    for name, speed in (("a", 1.5), ("b", 0.5), ("c", 0.75)):
        node = await watched.node(name, slots=1)
        await node.say(transport.Heartbeat((), speed=speed))
    async with asyncio.timeout(WITHIN_S):
        while (await read(watched)).get(("gradus_nodes_slowest", frozenset({("device", "cpu")}))) != 0.5:
            await asyncio.sleep(0.05)


async def test_nodes_streams_and_lost_attempts(watched: Service) -> None:
    person = await watched.person()
    sent = await person.send()
    before = await read(watched)
    assert value(before, "gradus_nodes", device="cpu") == 0
    node = await watched.node(slots=3)
    await node.ready(short=1, other=2)
    await node.take()
    await node.say(transport.Heartbeat((), cells=3, spares=2, starving=0.75))
    following = asyncio.create_task(person.events(sent["id"]))
    async with asyncio.timeout(WITHIN_S):
        while value(now := await read(watched), "gradus_streams") != 1 or value(now, "gradus_cells", device="cpu") != 3:
            await asyncio.sleep(0.05)
    assert value(now, "gradus_nodes_able", device="cpu") == 1
    assert value(now, "gradus_slots", device="cpu") == 3
    assert value(now, "gradus_cells_spare", device="cpu") == 2
    assert value(now, "gradus_nodes_starving", device="cpu") == 0.75
    node.kill()
    async with asyncio.timeout(WITHIN_S):
        while growth(before, after := await read(watched), "gradus_attempts_lost_total", cause="node") != 1:
            await asyncio.sleep(0.05)
    assert value(after, "gradus_nodes", device="cpu") == 0
    following.cancel()


async def test_two_processes_tell_the_same_queue(watched: Service, home: Path) -> None:
    await (await watched.person()).send()
    more = {"data_dir": home / "other", "database_url": watched.settings.database, "metrics_port": free_port()}
    async with running(settings_in(home, **more)) as other:
        for service in (watched, other):
            figures = await read(service)
            assert sum(figures["gradus_queued", labels] for name, labels in figures if name == "gradus_queued") == 1


async def test_a_database_that_is_gone_is_a_figure_and_no_error(
    watched: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert value(await read(watched), "gradus_database_up") == 1

    async def silent() -> bool:
        return False

    monkeypatch.setattr(watched.state.db, "answers", silent)
    figures = await read(watched)
    assert value(figures, "gradus_database_up") == 0
    assert not [name for name, _ in figures if name == "gradus_queued"]


async def test_figures_are_on_no_public_port_and_the_other_port_has_nothing_else(watched: Service) -> None:
    assert (await watched.client().get("/metrics")).status_code == 404
    async with httpx.AsyncClient(timeout=WITHIN_S, trust_env=False, verify=NO_TLS) as client:
        for path in ("/", "/api/health", "/metrics/x"):
            answer = await client.get(f"http://127.0.0.1:{watched.settings.metrics_port}{path}")
            assert answer.status_code == 404
        posted = await client.post(f"http://127.0.0.1:{watched.settings.metrics_port}/metrics")
        assert posted.status_code == 404


async def test_a_port_that_is_taken_is_told(watched: Service) -> None:
    with pytest.raises(ConfigurationError, match="another GRADUS_METRICS_PORT"):
        await Metrics(watched.state.dispatcher, watched.state.store).start()
