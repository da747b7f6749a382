"""Provides a network between a node and nats-server that can drop packets. It consists of a network namespace and a pair of
veth devices.
"""

import os
import subprocess
from contextlib import suppress

HERE, NODE = "here", "node"


class Wire:
    """The network of one node. Without permission to create network namespaces, the node uses the loopback device instead,
    and its network cannot be cut.
    """

    def __init__(self, number: int) -> None:
        self._space = f"gradus-{os.getpid()}-{number}"
        self._ends = {HERE: f"gr{os.getpid()}.{number}", NODE: "eth0"}
        network = f"10.213.{os.getpid() % 256}"
        self.server = "127.0.0.1"
        self.prefix: list[str] = []
        if _may(["ip", "netns", "add", self._space]):
            self.server = f"{network}.{4 * number + 1}"
            self.prefix = ["nsenter", f"--net=/run/netns/{self._space}"]
            self._connect(f"{network}.{4 * number + 2}")

    @property
    def is_there(self) -> bool:
        """Whether the network was created, so that it can be cut."""
        return bool(self.prefix)

    def _connect(self, address: str) -> None:
        here, node = self._ends[HERE], self._ends[NODE]
        _run(["ip", "link", "add", here, "type", "veth", "peer", "name", node, "netns", self._space])
        _run(["ip", "address", "add", f"{self.server}/30", "dev", here])
        _run(["ip", "link", "set", here, "up"])
        _run([*self.prefix, "ip", "address", "add", f"{address}/30", "dev", node])
        for device in (node, "lo"):
            _run([*self.prefix, "ip", "link", "set", device, "up"])

    def cut(self, *ends: str) -> None:
        """Drop all packets that these sides of the network send. A side is HERE (this machine) or NODE."""
        for end in ends:
            _run([*self._at(end), "tc", "qdisc", "replace", "dev", self._ends[end], "root", "pfifo", "limit", "0"])

    def mend(self) -> None:
        """Stop dropping packets."""
        for end in self._ends:
            _may([*self._at(end), "tc", "qdisc", "del", "dev", self._ends[end], "root"])

    def close(self) -> None:
        """Remove the network. The node must have ended."""
        if self.is_there:
            _may(["ip", "netns", "delete", self._space])
            _may(["ip", "link", "delete", self._ends[HERE]])

    def _at(self, end: str) -> list[str]:
        return self.prefix if end == NODE else []


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True)


def _may(command: list[str]) -> bool:
    with suppress(FileNotFoundError):
        return subprocess.run(command, check=False, capture_output=True).returncode == 0
    return False
