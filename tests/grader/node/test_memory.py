"""Checks the memory limit of a node's process. An allocation beyond the limit must fail in the node and must not affect the
machine.
"""

import contextlib
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from grader.hosts.machine.facts import OWN_BYTES, SLOT_BYTES

PROGRAM = """
import sys
from grader.hosts.machine.facts import limit_memory
limit_memory(2)
kept = []
try:
    while True:
        kept.append(bytearray(64 << 20))
except MemoryError:
    print(len(kept) * 64)
"""


def test_beyond_its_limit_an_allocation_fails() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=True)
    most = (OWN_BYTES + 2 * SLOT_BYTES) >> 20
    assert most - 300 < int(done.stdout) < most


@pytest.mark.docker
def test_a_node_that_judges_in_containers_has_the_limit(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "node.sock"))
        server.listen()
        server.settimeout(60)
        command = [sys.executable, "-m", "grader", "--socket", str(tmp_path / "node.sock"), "--packages", str(tmp_path)]
        node = subprocess.Popen([*command, "--name", "memory", "--slots", "3"])
        try:
            connection, _ = server.accept()
            connection.settimeout(60)
            assert connection.recv(1)  # the first byte of the node's Hello message
            limits = Path(f"/proc/{node.pid}/limits").read_text()
        finally:
            node.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                node.wait(60)
            node.kill()
        connection.close()
    (line,) = [line for line in limits.splitlines() if line.startswith("Max data size")]
    assert line.split()[3] == str(OWN_BYTES + 3 * SLOT_BYTES)
