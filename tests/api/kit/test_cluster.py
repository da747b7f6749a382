"""Tests two processes of the service on one PostgreSQL: the test's own process, and one that `gradus serve` runs."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import httpx
import msgspec
import pytest

from api.kit.cluster import Cluster
from api.kit.db.database import Database, now
from grader.contract import transport
from tests import postgres
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import NO_TLS, Person, Service, running, settings_in
from tests.api.scripted_node import ScriptedNode, dial, judgement_of
from tests.clock import WallClock
from tests.live import Live, launch
from tests.mailbox import Mailbox

pytestmark = pytest.mark.anyio
# Text that a hidden test prints. It contains characters that are not ASCII, and is too long for one PostgreSQL notification.
LONG = "größer " * 4000


@dataclass
class Pair:
    """Two processes of the service. `here` runs in the test's process and starts first, so it becomes the leader. `other` is a
    separate process.
    """

    here: Service
    other: Live

    def at_other(self, person: Person) -> Person:
        """Return a client that sends the same person's requests to the second process."""
        http = httpx.AsyncClient(
            base_url=self.other.url, cookies=person.http.cookies, timeout=60, verify=NO_TLS, trust_env=False
        )
        self.here.clients.append(http)
        return Person(http)

    async def node_of_other(self) -> ScriptedNode:
        """Connect a node to the second process."""
        node = await dial(self.other.data / "run" / "node.sock", "node-2")
        self.here.nodes.append(node)
        return node


@pytest.fixture
def database(home: Path) -> Iterator[str]:
    """The URL of a PostgreSQL database for both processes."""
    yield postgres.database_of(home)
    postgres.drop(home)


class Slow:
    """A task that only the leader of the cluster runs, and that takes a while to stop. While it stops, it sends a message,
    which wakes up a process that could become the leader.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._cluster, self.begun = cluster, 0

    def start(self) -> None:
        self.begun += 1

    async def stop(self) -> None:
        self._cluster.broadcast("sizes", self.begun)
        await asyncio.sleep(0.3)


async def test_who_leaves_begins_no_duty_anew(home: Path, database: str) -> None:
    settings = settings_in(home, database_url=database)
    db = Database(settings.database)
    cluster = Cluster(settings, db)
    duties = [Slow(cluster), Slow(cluster)]
    await cluster.join()
    await cluster.lead(duties)
    async with asyncio.timeout(30):
        while not duties[1].begun:
            await asyncio.sleep(0.01)
    await cluster.leave()
    await db.close()
    assert [duty.begun for duty in duties] == [1, 1]


@contextlib.asynccontextmanager
async def second(
    home: Path, database: str, smtp_url: str = "", environment: dict[str, str] | None = None
) -> AsyncIterator[Live]:
    """Run a second process with its own data folder until the `with` block ends."""
    live = launch(
        home / "other",
        challenges=home / "challenges",
        local_node="false",
        database_url=database,
        versions_dir=str(home / "var" / "versions"),
        poll_s="0.1",
        sweep_s="0.1",
        smtp_url=smtp_url,
        environment=environment,
    )
    try:
        await asyncio.to_thread(live.wait_until_ready, path="/api/health")
        yield live
    finally:
        await asyncio.to_thread(live.stop)


@pytest.fixture
async def pair(home: Path, database: str) -> AsyncIterator[Pair]:
    """The two processes of the service, both running."""
    write_challenge(home / "challenges")
    async with running(settings_in(home, database_url=database)) as here, second(home, database) as other:
        yield Pair(here, other)


async def judge_all(node: ScriptedNode, judged: Counter[str]) -> None:
    """Judge every job that arrives, until this task is cancelled. Count the judgings of each job in `judged`."""
    while True:
        await node.ready()
        job = await node.take()
        judged[job.id] += 1
        await node.judge(job)


async def test_what_either_takes_in_is_judged_once(pair: Pair) -> None:
    ada = await pair.here.person()
    everywhere = (ada, pair.at_other(ada))
    judged: Counter[str] = Counter()
    nodes = (await pair.here.node(), await pair.node_of_other())
    judging = [asyncio.create_task(judge_all(node, judged)) for node in nodes]
    sent = [await everywhere[number % 2].send(source=f"# {number}") for number in range(8)]
    for number, each in enumerate(sent):
        told = await everywhere[(number + 1) % 2].until(each["id"], "judged")
        assert (told["verdict"], told["attempt"]) == ("AC", 1)
    for task in judging:
        task.cancel()
    await asyncio.gather(*judging, return_exceptions=True)
    assert list(judged.values()) == [1] * 8


async def test_watcher_sees_live_what_a_node_of_the_other_one_does(pair: Pair) -> None:
    ada = await pair.here.person()
    node = await pair.node_of_other()
    sent = await ada.send()
    following = ada.follow(sent["id"])
    assert (await anext(following))["event"] == "queued"
    await node.ready()
    job = await node.take()
    first = judgement_of(job).tests[0]
    told = msgspec.structs.replace(first, stdout=LONG)
    await node.say(transport.Progress(job.id, job.token, 1, 3, told))
    while (event := await anext(following))["event"] == "queued":
        pass
    assert event["event"] == "judging"
    event = await anext(following)
    assert (event["event"], event["data"]["test"]["stdout"]) == ("test", LONG), "before the judgement is there"
    await node.judge(job)
    assert [event["event"] async for event in following] == ["test", "test", "judged"]
    # A client that connects during the judging first gets the events that it missed. If this process cancels the submission,
    # the node of the other process must stop judging it.
    again = await ada.send(source="x = 2")
    await node.ready()
    job = await node.take()
    async with asyncio.timeout(60):
        async for event in ada.follow(again["id"]):
            if event["event"] == "judging":
                break
    assert (await ada.http.post(f"/api/submissions/{again['id']}/cancel")).status_code == 200
    assert await node.hear() == transport.Cancel(job.id, job.token)


async def test_a_process_whose_clock_is_wrong_goes_by_that_of_the_database(home: Path, database: str) -> None:
    write_challenge(home / "challenges")
    clock = WallClock(home / "clock")
    assert clock.is_there, "install libfaketime (deploy/packages.sh does)"
    clock.ahead(600)
    settings = settings_in(home, database_url=database)
    async with running(settings) as here, second(home, database, environment=clock.variables) as other:
        ada, node = await here.person(), await here.node()
        sent = await ada.send()
        await node.ready()
        job = await node.take()
        # The clock of the other process is ahead, and shows a time after the end of the lease. If that clock counted, the other
        # process would take the job away from the node during this pause.
        await asyncio.sleep(10 * settings.sweep_s)
        await node.judge(job)
        assert (await ada.until(sent["id"], "judged"))["attempt"] == 1
        late = await Pair(here, other).at_other(ada).send(source="# there")
        assert abs(datetime.fromisoformat(late["created_at"]) - now()) < timedelta(seconds=30)


async def test_limits_hold_however_many_come_at_once(pair: Pair) -> None:
    ada = await pair.here.person()
    everywhere = (ada.http, pair.at_other(ada).http)

    async def post(number: int, source: str, **headers: str) -> httpx.Response:
        body = {"slug": "add-one", "kind": "submit", "source": source}
        return await everywhere[number % 2].post("/api/submissions", json=body, headers=headers)

    same = await asyncio.gather(*(post(number, "x = 1", **{"Idempotency-Key": "one"}) for number in range(10)))
    assert sorted(answer.status_code for answer in same) == [200] * 9 + [201]
    assert len({answer.json()["id"] for answer in same}) == 1
    more = await asyncio.gather(*(post(number, f"y = {number}") for number in range(20)))
    limit = pair.here.settings.unfinished_per_account
    assert Counter(answer.status_code for answer in more) == {201: limit - 1, 429: 21 - limit}


async def test_a_letter_is_sent_once_and_the_second_one_takes_over(home: Path, database: str, box: Mailbox) -> None:
    write_challenge(home / "challenges")
    settings = settings_in(home, database_url=database, smtp_url=box.url)
    async with contextlib.AsyncExitStack() as both:
        here = await both.enter_async_context(running(settings))
        async with second(home, database, smtp_url=box.url) as other:
            http = httpx.AsyncClient(base_url=other.url, timeout=60, verify=NO_TLS, trust_env=False)
            here.clients.append(http)
            clients = (here.client(), http)

            async def register(number: int, client: httpx.AsyncClient) -> str:
                address = f"person{number}@example.org"
                body = {"email": address, "name": "P", "password": "ten characters"}
                assert (await client.post("/api/accounts", json=body)).status_code == 202
                return address

            there = [await register(number, clients[number % 2]) for number in range(6)]
            for address in there:
                await asyncio.to_thread(box.wait_for, address)
            await asyncio.sleep(0.5)
            assert box.asked == len(there), "each once"
            here.clients.remove(http)
            await both.aclose()
            last = await register(99, http)
            await asyncio.to_thread(box.wait_for, last)
            await http.aclose()
