"""Provides the room of the tests in this folder."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.api.hiring.rooms.room_rig import RoomRig, rooms_in


@pytest.fixture
async def rig(home: Path) -> AsyncIterator[RoomRig]:
    """A room in which the challenge add-one is shown."""
    async with rooms_in(home) as rig:
        yield rig
