"""Tests the progress of measurements that the API reports."""

import pytest
from sqlalchemy import select

from api.practice.measurements.models import Measurement
from api.practice.speed_boards import measurement_progress
from api.practice.speed_boards.ranks import SpeedRanks
from tests.api.practice.speed_boards.measuring_rig import accepted, measure, measure_house, until
from tests.api.running_service import Service
from tests.api.scripted_node import ScriptedNode

pytestmark = pytest.mark.anyio


async def test_the_interval_fits_the_state_if_a_measurement_ends_while_they_are_read(
    service: Service, node: ScriptedNode
) -> None:
    ada = await service.person("ada")
    sent = await accepted(service, ada, node)
    await measure(node, 3.2)
    await until(ada, sent, "confirming")
    async with service.state.db.read() as session:
        account_id = await session.scalar(select(Measurement.account_id).where(Measurement.account_id.is_not(None)))
        assert account_id
        read = await measurement_progress.progress_of(
            SpeedRanks(session, service.state.milestones), account_id, "add-one"
        )
        await measure_house(node)
        await measure(node, 3.0)
        later = await until(ada, sent, "ranked")
        view = await read.view(read.rows[-1])
    assert (view.state, view.interval and view.interval.ratio) == ("ranked", later["interval"]["ratio"])
    assert 3.0 < later["interval"]["ratio"] < 3.2
