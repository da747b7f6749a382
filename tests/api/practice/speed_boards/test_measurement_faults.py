"""Tests what happens if a node cannot measure an answer, or returns nonsense."""

import pytest
from sqlalchemy import select

from api.judging.dispatch.long_running_work import ATTEMPTS
from api.practice.measurements.models import Measurement
from grader.contract.measurement import NO_PAUSE, Measured
from tests.api.practice.speed_boards.measuring_rig import accepted, asked, measure, until
from tests.api.running_service import Service
from tests.api.scripted_node import ScriptedNode

pytestmark = pytest.mark.anyio


async def fault(service: Service) -> str | None:
    """Return the fault of the only measurement."""
    async with service.state.db.read() as session:
        return await session.scalar(select(Measurement.fault))


async def test_a_fault_is_tried_three_times(service: Service, node: ScriptedNode) -> None:
    ada = await service.person("ada")
    sent = await accepted(service, ada, node)
    for _ in range(ATTEMPTS):
        message = await asked(node)
        await node.say(Measured(message.id, message.token, fault="secret: out of disk"))
    told = await until(ada, sent, "fault")
    assert "secret" not in str(told)
    assert await fault(service) == "secret: out of disk"


async def test_a_node_without_a_pause_may_give_a_measurement_back_any_number_of_times(
    service: Service, node: ScriptedNode
) -> None:
    ada = await service.person("ada")
    sent = await accepted(service, ada, node)
    for _ in range(ATTEMPTS + 1):
        message = await asked(node)
        await node.say(Measured(message.id, message.token, fault=NO_PAUSE))
    await measure(node, 2.0)
    await until(ada, sent, "confirming")


async def test_nonsense_from_a_node_is_a_fault(service: Service, node: ScriptedNode) -> None:
    ada = await service.person("ada")
    sent = await accepted(service, ada, node)
    for more in ({"log_ratio": 1e9}, {"sizes": ()}, {"std_error": -1.0}):
        await measure(node, 2.0, **more)
    await until(ada, sent, "fault")
