"""Tests that the path of a submission, from the request to the verdict, is one trace in a real collector. Without configuration
there is no tracing.
"""

import asyncio
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from sqlalchemy import select
from structlog.testing import capture_logs

from api.judging.submissions.models import Judging
from api.kit import tracing
from grader.contract import transport
from tests.api.challenge_folders import write_challenge
from tests.api.judging.nodes.remote_rig import place
from tests.api.running_service import SOURCE, WITHIN_S, Person, Service, running, settings_in
from tests.api.scripted_node import ScriptedNode
from tests.collector import Collector, Span, collecting

pytestmark = pytest.mark.anyio
ROOT = "POST /api/submissions"
SERVER, CLIENT, PRODUCER, CONSUMER = 2, 3, 4, 5
SECRET = "SOURCE_that_nobody_may_read"


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    """An OpenTelemetry collector, to which the services of this test export their spans every 50 ms."""
    with collecting() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "Authorization=a-secret-of-the-collector")
        monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "50")
        yield collector


async def trace_in(collector: Collector, *names: str) -> dict[str, Span]:
    """Wait until the trace of the only submission contains these spans. Return its spans by name."""
    return await asyncio.to_thread(collector.trace, ROOT, *names)


async def row_of(service: Service, submission_id: str) -> Judging:
    """Return the judging of a submission."""
    async with service.state.db.read() as session:
        return (await session.scalars(select(Judging).where(Judging.submission_id == submission_id))).one()


def took(**seconds: float) -> tuple[transport.Took, ...]:
    """Return these durations in the form in which a node reports them."""
    return tuple(transport.Took(stage, long) for stage, long in seconds.items())


def tree(trace: dict[str, Span]) -> dict[str, str]:
    """Return, for each span by name, the name of its parent. The parent's name is empty for the root."""
    names = {span.span_id: span.name for span in trace.values()}
    return {name: names.get(span.parent_id, "") for name, span in trace.items()}


async def offered(node: Any) -> transport.Offer:
    """Receive the next offer of a job. Return the whole message, with its trace context."""
    message = await node.hear()
    assert isinstance(message, transport.Offer)
    return message


async def test_a_submission_is_one_trace_and_nothing_private_is_in_it(home: Path, collector: Collector) -> None:
    write_challenge(home / "challenges")
    with capture_logs([structlog.contextvars.merge_contextvars]) as logs:
        async with running(settings_in(home)) as service:
            person, node = await service.person("graceh"), await service.node("machine-7")
            # A client can send the id of a trace. The service must ignore it.
            person.http.headers["traceparent"] = f"00-{'ab' * 16}-{'cd' * 8}-01"
            sent = await person.send(source=f"{SOURCE}# {SECRET}")
            await asyncio.sleep(0.2)
            await node.ready()
            offer = await offered(node)
            await node.say(transport.Accepted(offer.job.id, offer.job.token))
            await node.judge(offer.job)
            stages = took(waiting=0.25, judging=0.5, cleaning=0.125)
            await node.say(transport.Traced(offer.job.token, offer.trace, stages))
            await person.until(sent["id"], "judged")
            parts = ("queued", "offered", "node", "waiting", "judging", "cleaning", "verdict", "notified")
            trace = await trace_in(collector, *parts)
            judging = (await row_of(service, sent["id"])).id
            cookie = person.http.cookies["gradus_session"]
    inner = dict.fromkeys(("waiting", "judging", "cleaning"), "node")
    asked = dict.fromkeys(("queued", "offered", "verdict", "notified"), ROOT)
    assert tree(trace) == {ROOT: "", **asked, "node": "offered", **inner}
    assert trace[ROOT].trace_id != "ab" * 16
    kinds = {ROOT: SERVER, "offered": PRODUCER, "node": CONSUMER}
    assert {name: trace[name].kind for name in kinds} == kinds
    assert offer.trace == f"00-{trace[ROOT].trace_id}-{trace['offered'].span_id}-01"
    assert trace["queued"].seconds > 0.15
    lengths = {name: trace[name].seconds for name in ("node", "waiting", "judging", "cleaning")}
    assert lengths == {"node": 0.875, "waiting": 0.25, "judging": 0.5, "cleaning": 0.125}
    assert trace["waiting"].began == trace["node"].began
    assert trace["judging"].began == trace["waiting"].ended
    assert trace["cleaning"].ended == trace["node"].ended
    assert trace[ROOT].told == {
        "http.request.method": "POST",
        "http.route": "/api/submissions",
        "http.response.status_code": 201,
    }
    assert trace["offered"].told["gradus.node"] == "machine-7"
    assert trace["verdict"].told["gradus.verdict"] == "AC"
    assert {trace[name].told["gradus.judging"] for name in ("queued", "offered", "verdict", "notified")} == {judging}
    assert trace["verdict"].service["service.name"] == "gradus"
    assert not [span for span in trace.values() if span.failed]
    # The log contains the id of the same trace in every entry, from the request to the verdict.
    told = ("submission_taken", "judging_offered", "judging_ended")
    lines = {line["event"]: line.get("trace_id") for line in logs if line.get("judging") == judging}
    assert {event: lines[event] for event in told} == dict.fromkeys(told, trace[ROOT].trace_id)
    private = (SECRET, "graceh", "example.org", cookie, offer.job.token, "ten characters", offer.job.owner)
    assert [text for text in private if text.encode() in collector.raw] == []
    assert set(collector.headers) == {"a-secret-of-the-collector"}
    assert "a-secret-of-the-collector" not in str(logs)


async def test_addresses_are_told_by_their_template_and_what_breaks_is_marked(
    home: Path, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home)) as service:
        person = await service.person()
        for path in (f"/api/submissions/{SECRET}", f"/api/{SECRET}", f"/api/challenges?q={SECRET}", f"/{SECRET}"):
            await person.http.get(path)

        async def broken(*_: Any) -> None:
            raise RuntimeError(SECRET)

        monkeypatch.setattr("api.judging.intake.batching.intake.store", broken)
        assert (
            await person.http.post("/api/submissions", json={"slug": "add-one", "kind": "submit", "source": "1"})
        ).status_code == 500
    names = {span.name: span for span in collector.spans}
    assert {"GET /api/submissions/{submission_id}", "GET /api/challenges", "GET other"} <= names.keys()
    assert names[ROOT].failed
    assert not names["GET other"].failed
    assert SECRET.encode() not in collector.raw


async def test_a_trace_goes_on_in_another_process_than_it_began_in(home: Path, collector: Collector) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home)) as service:
        person = await service.person()
        sent = await person.send()
        row = await row_of(service, sent["id"])
        cookies = person.http.cookies
    async with running(settings_in(home)) as service:
        node = await service.node()
        await node.ready()
        offer = await offered(node)
        await node.say(transport.Accepted(offer.job.id, offer.job.token))
        await node.judge(offer.job)
        await Person(service.client(cookies=cookies)).until(sent["id"], "judged")
        trace = await trace_in(collector, "queued", "offered", "verdict", "notified")
    assert row.trace == f"00-{trace[ROOT].trace_id}-{trace[ROOT].span_id}-01"
    assert set(tree(trace).values()) == {"", ROOT}


async def test_an_attempt_that_was_lost_is_in_the_trace_and_so_is_the_next_one(
    home: Path, collector: Collector
) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home)) as service:
        person, node = await service.person(), await service.node()
        sent = await person.send()
        await node.ready()
        job = await node.take()
        await node.say(transport.Fault(job.id, job.token, f"broken by {SECRET}", SECRET))
        other = await service.node("node-2")
        await other.ready()
        await other.judge(await other.take())
        await person.until(sent["id"], "judged")
        async with asyncio.timeout(WITHIN_S):
            while not collector.named("notified"):
                await asyncio.sleep(0.05)
    (lost,) = collector.named("lost")
    assert lost.failed
    assert lost.told["gradus.cause"] == "fault"
    assert [span.told["gradus.attempt"] for span in collector.named("offered")] == [1, 2]
    assert len({span.trace_id for span in collector.spans if span.told.get("gradus.judging")}) == 1
    assert SECRET.encode() not in collector.raw


async def test_over_nats_the_trace_goes_to_the_node_and_back(home: Path, collector: Collector) -> None:
    async with place(home, lease_s=20) as at:
        await at.start("far-1")
        ada = await at.service.person()
        sent = await ada.send(source=f"{SOURCE}# wait 0.3\n")
        assert await at.verdict(ada, sent["id"]) == ("AC", 1)
        trace = await trace_in(collector, "queued", "offered", "delivered", "node", "judging", "verdict", "notified")
    below = tree(trace)
    assert (below["delivered"], below["node"], below["judging"]) == ("offered", "offered", "node")
    assert trace["delivered"].kind == CLIENT
    assert trace["node"].told["gradus.node"] == "far-1"
    assert trace["judging"].seconds > 0.25
    assert trace["node"].began >= trace["offered"].began - 50_000_000


async def taken(service: Service) -> tuple[Person, ScriptedNode, dict[str, Any], transport.Offer]:
    """Send an answer whose job a node accepts. Return the person, the node, the submission and the offer."""
    person, node = await service.person(), await service.node()
    sent = await person.send()
    await node.ready()
    offer = await offered(node)
    await node.say(transport.Accepted(offer.job.id, offer.job.token))
    return person, node, sent, offer


async def test_a_node_tells_what_it_likes_and_no_more_than_stages_comes_of_it(home: Path, collector: Collector) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home)) as service:
        person, node, sent, offer = await taken(service)
        for trace in ("", "garbage", f"00-{'0' * 32}-{'0' * 16}-01", SECRET):
            await node.say(transport.Traced(offer.job.token, trace, took(judging=1)))
        wild = (*took(judging=-5, cleaning=1e300), transport.Took(SECRET, 1.0), *took(judging=1) * 50)
        await node.say(transport.Traced(offer.job.token, offer.trace, wild))
        await node.judge(offer.job)
        await person.until(sent["id"], "judged")
    (told,) = collector.named("node")
    assert told.trace_id == collector.named(ROOT)[0].trace_id
    assert len(collector.named("judging")) == 2
    assert [span.seconds for span in collector.named("cleaning")] == [3600.0]
    assert SECRET.encode() not in collector.raw


@pytest.mark.parametrize(
    "more", [{"OTEL_SDK_DISABLED": "TRUE"}, {"OTEL_TRACES_EXPORTER": "none"}, {"OTEL_TRACES_SAMPLER": "always_off"}]
)
async def test_what_is_not_wanted_leaves_no_trace(
    home: Path, collector: Collector, monkeypatch: pytest.MonkeyPatch, more: dict[str, str]
) -> None:
    for name, value in more.items():
        monkeypatch.setenv(name, value)
    write_challenge(home / "challenges")
    async with running(settings_in(home)) as service:
        person, node, sent, offer = await taken(service)
        assert offer.trace == ""
        await node.judge(offer.job)
        await person.until(sent["id"], "judged")
        assert (await row_of(service, sent["id"])).trace is None
    assert collector.spans == []


@pytest.mark.parametrize("listens", [True, False])
async def test_a_collector_that_does_not_answer_costs_no_submission_and_no_long_end(
    home: Path, monkeypatch: pytest.MonkeyPatch, listens: bool
) -> None:
    silent = socket.create_server(("127.0.0.1", 0))
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
    if not listens:
        silent.close()
    write_challenge(home / "challenges")
    async with running(settings_in(home)) as service:
        person, node = await service.person(), await service.node()
        sent = await person.send()
        await node.ready()
        await node.judge(await node.take())
        await person.until(sent["id"], "judged")
        ends = time.monotonic()
    assert time.monotonic() - ends < tracing.SHUTDOWN_S + 4
    silent.close()
