"""Provides the model server, the team and the candidate of the tests in this folder."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.api.hiring.assistant.assistant_rig import assisted, opened
from tests.api.hiring.taking_rig import Rig, Taker
from tests.model_server import ModelServer, model_server


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server() as model:
        yield model


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> AsyncIterator[Rig]:
    """A team whose open assessment provides the assistant in its first section."""
    async with assisted(home, monkeypatch, model) as rig:
        yield rig


@pytest.fixture
async def taker(rig: Rig) -> Taker:
    """A candidate who has opened the challenge."""
    return await opened(rig)
