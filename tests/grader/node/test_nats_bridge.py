"""Checks that the bridge passes measurements on in both directions. No nats-server is started."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from grader.contract import transport
from grader.contract.measurement import ChainSize, Measure, Measured, MeasurementPlan, Measuring, Quantity
from grader.node.nats_bridge import NatsBridge

PLAN = MeasurementPlan(Quantity.SPEED, "", "", (ChainSize(1, 1, 1, 1), ChainSize(2, 1, 1, 1)))
ASKED = Measure("id", "token", "slug", "digest", "checksum", "source", 1, PLAN)


class Bridge(NatsBridge):
    """A bridge that is connected to nothing. `said` holds what it told the node, and `problem` is why no package is there."""

    def __init__(self) -> None:
        self.said: list[transport.ToNode] = []
        self.fetched: list[tuple[str, str, str]] = []
        self.problem = ""
        self._leaving = False
        self._tasks = set()
        self._words = asyncio.Queue()
        self._packages: Any = SimpleNamespace(fetch=self._fetch)
        self._fitness: Any = SimpleNamespace(is_test=lambda token: False)

    async def _fetch(self, slug: str, digest: str, checksum: str) -> str:
        self.fetched.append((slug, digest, checksum))
        return self.problem

    def _say(self, message: transport.ToNode) -> None:
        self.said.append(message)

    async def hears(self, *messages: transport.ToNode) -> None:
        """Receive messages from the service, and finish the tasks that they start."""
        await self._received(SimpleNamespace(data=transport.parcel(list(map(transport.body, messages))), reply=""))  # type: ignore[arg-type]
        await asyncio.gather(*self._tasks)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
async def test_the_node_is_asked_once_the_package_is_there() -> None:
    bridge = Bridge()
    await bridge.hears(ASKED)
    assert bridge.fetched == [("slug", "digest", "checksum")]
    assert bridge.said == [ASKED]


@pytest.mark.anyio
async def test_a_package_that_cannot_be_fetched_ends_the_measurement() -> None:
    bridge = Bridge()
    bridge.problem = "slug: its package could not be fetched"
    await bridge.hears(ASKED)
    assert bridge.said == []
    assert bridge._words.get_nowait() == Measured("id", "token", fault=bridge.problem)


@pytest.mark.anyio
async def test_a_node_that_leaves_measures_nothing_more() -> None:
    bridge = Bridge()
    bridge._leaving = True
    await bridge.hears(ASKED)
    assert (bridge.said, bridge.fetched) == ([], [])
    assert bridge._words.get_nowait() == Measured("id", "token", fault="the node drains")


@pytest.mark.anyio
async def test_progress_and_result_go_to_the_service_and_words_of_the_gate_do_not() -> None:
    bridge = Bridge()
    progress, end = Measuring("id", "token", 3, 0.05), Measured("id", "token", message="too slow")
    reader = asyncio.StreamReader()
    for message in (transport.Proving("p", "t", 1), progress, end):
        reader.feed_data(transport.pack(message))
    reader.feed_eof()
    await bridge._listen(reader)
    assert [bridge._words.get_nowait() for _ in range(bridge._words.qsize())] == [progress, end]
