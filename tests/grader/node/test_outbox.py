"""Checks that results of tests wait for one another on their way to the service, and that messages arrive in order."""

import socket
import threading
from collections.abc import Iterator

import pytest

from grader.contract import job, transport
from grader.node.node import Outbox
from tests.grader.node_messages import next_from_node

REFUSED = transport.Refused("judging", "token", "no slot is free")


def progress(done: int) -> transport.Progress:
    result = job.TestResult(
        f"test_{done}", "Title", 1, sample=False, attested=False, verdict=job.Verdict.AC, seconds=0.0
    )
    return transport.Progress("judging", "token", done, 3, result)


class Service:
    """The other end of the node's connection."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection

    def next(self) -> transport.FromNode:
        return next_from_node(self.connection)

    def has_nothing(self) -> bool:
        self.connection.setblocking(False)
        try:
            return not self.connection.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        finally:
            self.connection.settimeout(20)


@pytest.fixture
def ends() -> Iterator[tuple[Outbox, Service]]:
    ours, theirs = socket.socketpair()
    theirs.settimeout(20)
    with ours, theirs:
        yield Outbox(ours), Service(theirs)


def test_results_wait_and_other_messages_are_sent_after_them(ends: tuple[Outbox, Service]) -> None:
    outbox, service = ends
    for done in (1, 2, 3):
        outbox.send_soon(progress(done))
    assert service.has_nothing()
    outbox.send(REFUSED)
    assert [service.next() for _ in range(4)] == [progress(1), progress(2), progress(3), REFUSED]
    assert service.has_nothing()


def test_a_result_is_sent_although_no_other_message_follows(ends: tuple[Outbox, Service]) -> None:
    outbox, service = ends
    threading.Thread(target=outbox.work, daemon=True).start()
    for done in (1, 2):
        outbox.send_soon(progress(done))
        assert service.next() == progress(done)


def test_a_lost_connection_raises_no_error(ends: tuple[Outbox, Service]) -> None:
    outbox, service = ends
    service.connection.close()
    outbox.send(REFUSED)
    outbox.send_soon(progress(1))
    outbox.send(REFUSED)
