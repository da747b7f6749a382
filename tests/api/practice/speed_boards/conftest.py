"""Provides a service with a scored challenge, and a node that measures. Failed measurements are tried again at once."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from api.practice.measurements import worker
from tests.api.practice.speed_boards.measuring_rig import write_scored
from tests.api.running_service import Service, running, settings_in
from tests.api.scripted_node import ScriptedNode


@pytest.fixture
async def service(home: Path) -> AsyncIterator[Service]:
    """A running service with a scored challenge."""
    write_scored(home / "challenges")
    async with running(settings_in(home, repeat_window_s=0)) as service:
        yield service


@pytest.fixture
async def node(service: Service) -> ScriptedNode:
    return await service.node(measures=True)


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the next attempt begin at once."""
    monkeypatch.setattr(worker, "RETRY", timedelta())
