"""Tests the reports in which remote nodes say that attempts have ended. A message can contain many reports. Each counts
separately, and an invalid one does not affect the others.
"""

import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncSession

from api.judging.dispatch import verdicts
from api.judging.dispatch.connected_nodes import Node
from api.judging.queue import service as judging
from api.judging.queue.claims import Claim, Slots
from api.judging.submissions.models import Judging
from grader.contract import subjects, transport
from grader.contract.job import Job, Kind, Verdict
from tests.api.judging.nodes.remote_rig import place
from tests.api.running_service import SOURCE, Service
from tests.api.scripted_node import ScriptedNode, judgement_of

pytestmark = pytest.mark.anyio


async def taken(service: Service, count: int) -> tuple[ScriptedNode, list[tuple[str, Job]]]:
    """Send this many submissions. Return the node that has accepted their jobs, and each submission's id with its job."""
    ada, node = await service.person(), await service.node(slots=count)
    sent = [(await ada.send(source=f"{SOURCE}# {number}\n"))["id"] for number in range(count)]
    await node.ready(other=count)
    return node, list(zip(sent, [await node.take() for _ in range(count)], strict=True))


async def test_of_a_parcel_each_judgement_counts_by_itself(service: Service) -> None:
    _, jobs = await taken(service, 4)
    good, bare, foreign, late = (job for _, job in jobs)
    told = [
        ("node-1", judgement_of(good)),
        ("node-1", judgement_of(good)),
        ("node-1", replace(judgement_of(bare), tests=())),
        ("node-2", judgement_of(foreign)),
        ("node-1", replace(judgement_of(late, Verdict.WA), token="of an attempt that is over")),
    ]
    await verdicts.write(service.state.dispatcher, told)
    async with service.state.db.read() as session:
        rows = [await judging.current(session, submission) for submission, _ in jobs]
    assert [row.verdict for row in rows if row] == ["AC", None, None, None]
    assert [row.infra_faults for row in rows if row] == [0, 1, 0, 0]
    assert [row.status for row in rows if row][2:] == ["judging", "judging"]
    # A repeated report changes nothing.
    await verdicts.write(service.state.dispatcher, [("node-1", judgement_of(good, Verdict.WA))])
    async with service.state.db.read() as session:
        row = await judging.current(session, jobs[0][0])
    assert row
    assert (row.verdict, row.attempt) == ("AC", 1)


async def test_an_end_that_cannot_be_written_down_spoils_no_other(home: Path) -> None:
    broken: set[str] = set()

    async def follow(session: AsyncSession, rows: Sequence[Judging]) -> None:
        if broken & {row.submission_id for row in rows}:
            raise RuntimeError("this one cannot be written down")

    async with place(home, lease_s=60) as at:
        at.service.state.dispatcher.on_judged.append(follow)
        ada = await at.service.person()
        sent = [(await ada.send(source=f"{SOURCE}# {number}\n# wait 0.5\n"))["id"] for number in range(6)]
        broken.add(sent[2])
        await at.start("one", "--slots", "6")
        others = [identifier for identifier in sent if identifier not in broken]
        assert [await at.verdict(ada, identifier) for identifier in others] == [("AC", 1)] * 5
        assert (await ada.get(sent[2]))["status"] == "judging"
        broken.clear()
        assert await at.verdict(ada, sent[2]) == ("AC", 1)


def test_a_node_runs_no_further_ahead_of_its_ends_than_by_its_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    node = Node(transport.Hello("one", "cpu", {"short": 1, "any": 2}, {}))
    for round_, free in enumerate([Slots(1, 2), Slots(1, 2), Slots(0, 0)]):
        # The node has finished all its jobs, but the service has not stored any of the results.
        node.report(transport.Ready(short=1, any=2))
        assert node.free == free
        for number in range(sum(free)):
            token = f"{round_}/{number}"
            job = Job(token, token, Kind.RUN, "add-one", "digest", source="", owner="", seed=1)
            node.offer(Claim(job, short=False, submission_id=token, number=1, attempt=1))
            assert node.accepted(token)
    node.report(transport.Ready(short=1, any=2))
    node.running.pop("0/0")
    assert node.free == Slots(0, 1)
    # A job whose end was never reported stops occupying a slot after a while.
    later = time.monotonic() + 100
    monkeypatch.setattr(time, "monotonic", lambda: later)
    node.forget({"1/0"}, 60)
    assert list(node.running) == ["1/0"]


def test_parcels_are_as_full_as_the_wire_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subjects, "MOST_BYTES", 100)
    bodies = [b"%d" % (10**size) for size in (5, 95, 40, 40, 60, 3)]
    parcels = list(subjects.parcels(bodies))
    assert [body for parcel in parcels for body in parcel] == bodies
    assert [len(parcel) for parcel in parcels] == [1, 1, 2, 2]
    assert max(len(transport.parcel(parcel)) for parcel in parcels) <= 100
    assert list(subjects.parcels([])) == []
