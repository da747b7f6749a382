"""Checks that a drained node, which takes no more jobs, ends when it is asked to. If it is removing leftovers at that moment,
it must finish that first.
"""

import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.contract import transport
from grader.contract.errors import Unavailable
from grader.hosts.processes import ProcessEngine
from grader.node.node import Node
from grader.node.settings import Settings


class Engine(ProcessEngine):
    """Raises SIGUSR1 while it removes leftovers, which are the cells that earlier nodes left behind. The test handles the
    signal by asking the node to end.
    """

    removed = 0

    def remove_leftovers(self) -> None:
        """Raise the signal, then count the removal. A removal that the signal interrupts is not counted."""
        signal.raise_signal(signal.SIGUSR1)
        self.removed += 1


def refuse() -> None:
    """Fail the check of the host, so that no cell is started."""
    raise Unavailable("not on this host")


@pytest.fixture
def drained(tmp_path: Path) -> Iterator[tuple[Node, Engine]]:
    """A node that receives a Drain message as soon as it reads from its connection, and the node's engine."""
    settings = Settings(name="one", packages=tmp_path, kept=tmp_path, slots=1, spares=0, cells="process", image="")
    engine = Engine()
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(transport.pack(transport.Drain()))
        yield Node(settings, engine, theirs, refuse), engine


def test_who_is_asked_to_end_while_it_cleans_up_goes_on_with_it(drained: tuple[Node, Engine]) -> None:
    node, engine = drained

    def asked(*_: object) -> None:
        if engine.removed:  # the removal at the start is complete, so this is the one at the end
            node.end()

    before = signal.signal(signal.SIGUSR1, asked)
    try:
        node.serve()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert engine.removed == 2, "before the first cell, and at the end"


def test_who_is_asked_to_end_while_it_works_ends(drained: tuple[Node, Engine]) -> None:
    node, _ = drained
    with pytest.raises(SystemExit) as ended:
        node.end()
    assert ended.value.code == 0
