"""Tests that the dispatcher stops when it is asked to, even if it is woken at that moment."""

import asyncio

import pytest

from tests.api.running_service import Service

pytestmark = pytest.mark.anyio


async def test_dispatcher_that_is_woken_as_it_stops_still_ends(service: Service) -> None:
    service.state.dispatcher.wake()
    stopping = asyncio.create_task(service.state.dispatcher.stop())
    done, _ = await asyncio.wait([stopping], timeout=5)
    assert done
