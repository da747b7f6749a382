"""Tests that the node, a child process of the service, does not inherit the socket on which the service listens."""

import os
from contextlib import suppress
from pathlib import Path

import pytest

from tests.live import Live

pytestmark = pytest.mark.docker


def test_the_node_does_not_hold_open_what_the_service_listens_on(live: Live) -> None:
    """The node must not hold the listening socket of the service. If it did, connections would still be accepted after the
    service was killed, but never answered.
    """
    port = int(live.url.rpartition(":")[2])
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    [listening] = [f"socket:[{line[9]}]" for line in lines if line[1].endswith(f":{port:04X}") and line[3] == "0A"]
    assert listening in _open(live.process.pid)
    assert listening not in _open(live.node_pid())


def _open(pid: int) -> set[str]:
    found = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # the descriptor was closed in the meantime
            found.add(os.readlink(link))
    return found
