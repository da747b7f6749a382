"""Tests the local node, which is a child process of the service. The tests replace it with small programs that misbehave on
purpose.
"""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from api.judging.dispatch.connected_nodes import Nodes
from api.judging.nodes import local_process
from api.judging.nodes.local_process import NodeProcess
from api.settings import Settings
from tests.api.running_service import settings_in

pytestmark = pytest.mark.anyio
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(60)"


def runs(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """Make the service start this program in place of the node."""
    monkeypatch.setattr(local_process, "command", lambda _: [sys.executable, "-c", program])


async def until_pid(process: NodeProcess) -> int:
    """Wait until the node's process runs. Return its pid."""
    async with asyncio.timeout(10):
        while process.pid is None:
            await asyncio.sleep(0.01)
    return process.pid


@pytest.fixture
def settings(home: Path) -> Settings:
    """Settings in a temporary folder."""
    return settings_in(home)


async def test_node_that_ends_is_started_again_and_the_reason_is_told(
    home: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = home / "trace"
    runs(monkeypatch, f"open({str(trace)!r}, 'a').write('x'); raise SystemExit(3)")
    monkeypatch.setattr(local_process, "FIRST_PAUSE_S", 0.01)
    nodes = Nodes()
    process = NodeProcess(settings, nodes)
    process.start()
    async with asyncio.timeout(10):
        while not trace.exists() or len(trace.read_text()) < 3:
            await asyncio.sleep(0.02)
    await process.stop()
    assert "ended with code 3" in str(nodes.reason()) or "starting" in str(nodes.reason())


async def test_node_that_ignores_terminate_is_killed(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    runs(monkeypatch, STUBBORN)
    monkeypatch.setattr(local_process, "TERMINATE_WITHIN_S", 0.3)
    process = NodeProcess(settings, Nodes())
    process.start()
    pid = await until_pid(process)
    await asyncio.sleep(0.2)
    await process.stop()
    assert process.pid is None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_node_does_not_see_our_secrets(home: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADUS_DATABASE_URL", "secret")
    seen = home / "seen"
    runs(monkeypatch, f"import os, time; open({str(seen)!r}, 'w').write(' '.join(os.environ)); time.sleep(60)")
    process = NodeProcess(settings, Nodes())
    process.start()
    async with asyncio.timeout(10):
        while not seen.exists() or not seen.read_text():
            await asyncio.sleep(0.02)
    await process.stop()
    assert "PATH" in seen.read_text()
    assert "GRADUS" not in seen.read_text()
