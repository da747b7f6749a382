"""Checks cells: how much output they keep, how they are hardened, and how children are created and removed."""

import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.contract.errors import CellLost
from grader.contract.job import Limits
from grader.contract.wire import Caps, WireClosed, receive, wait_readable
from grader.hosts.container_options import flags
from grader.hosts.host import Shape
from grader.hosts.processes import ProcessEngine
from grader.hosts.zygote_client import Child
from grader.judging.pool.cells import Cell, Output


@pytest.fixture
def printing() -> Iterator[tuple[Child, int]]:
    """A child as the node sees it, and the file descriptor to which the child prints."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    ours, theirs = socket.socketpair()
    child = Child(ours, reading, 0)
    yield child, writing
    theirs.close()
    child.close()
    os.close(writing)


def test_output_is_kept_up_to_its_limit_and_drained_beyond(printing: tuple[Child, int]) -> None:
    child, writing = printing
    output = Output(1000)
    os.write(writing, b"a" * 900)
    output.drain(child)
    assert not output.truncated
    os.write(writing, b"b" * 900)
    output.drain(child)
    assert output.take() == b"a" * 900 + b"b" * 100
    assert output.truncated
    assert output.total == 1800


def test_each_test_has_the_whole_limit(printing: tuple[Child, int]) -> None:
    child, writing = printing
    output = Output(100)
    for letter in (b"a", b"b"):
        os.write(writing, letter * 500)
        output.drain(child)
        assert output.take() == letter * 100
    assert output.take() == b""


def test_flood_is_told_after_sixty_four_times_the_limit(printing: tuple[Child, int]) -> None:
    child, writing = printing
    output = Output(100)
    os.write(writing, bytes(6400))
    output.drain(child)
    assert not output.flooding
    os.write(writing, b"x")
    output.drain(child)
    assert output.flooding
    assert len(output.kept) == 100


def test_nothing_printed_does_not_wait(printing: tuple[Child, int]) -> None:
    output = Output(100)
    output.drain(printing[0])
    assert output.total == 0


def test_flags_are_the_whole_hardening() -> None:
    made = flags(Shape("cell", memory_mb=700, pids=99), image="image", folder=Path("/folder"), label="name", uid=77)
    assert made["network_mode"] == "none"
    assert made["read_only"] is True
    assert made["cap_drop"] == ["ALL"]
    assert made["user"] == "77:77"
    assert "no-new-privileges" in made["security_opt"]
    assert any(option.startswith("seccomp={") for option in made["security_opt"])
    assert made["mem_limit"] == made["memswap_limit"] == "700m"
    assert made["pids_limit"] == 99
    assert made["ipc_mode"] == made["cgroupns"] == "private"
    assert all(
        {"noexec", "nosuid", "nodev"} <= set(options.split(",")) and "nr_inodes=" in options and "size=" in options
        for options in made["tmpfs"].values()
    )
    assert not {"privileged", "cap_add", "devices", "volumes", "ports", "pid_mode", "userns_mode"} & made.keys()


def test_flags_mount_nothing_but_the_control_folder_and_that_read_only() -> None:
    made = flags(Shape("judge"), image="image", folder=Path("/folder"), label="name", uid=77)
    (mount,) = made["mounts"]
    assert (mount["Source"], mount["ReadOnly"]) == ("/folder", True)
    assert "docker.sock" not in str(made)


def test_flags_are_equal_for_equal_shapes_and_ask_for_no_device() -> None:
    first, second = (flags(Shape("cell"), image="i", folder=Path("/f"), label="n", uid=77) for _ in range(2))
    assert first == second
    assert first["device_requests"] is None


@pytest.fixture
def cell() -> Iterator[Cell]:
    """A cell that runs in plain processes."""
    engine = ProcessEngine()
    engine.connect()
    made = Cell(engine.start(Shape("cell")))
    made.prepare(Limits(memory_mb=256))
    yield made
    made.destroy()


def test_child_that_waits_is_the_next_one_handed_out(cell: Cell) -> None:
    cell.fork_ahead()
    waiting = cell._waiting
    cell.fork_ahead()
    assert cell.child() is waiting
    assert cell._waiting is None


def test_child_that_died_while_it_waited_is_not_handed_out(cell: Cell) -> None:
    cell.fork_ahead()
    waiting = cell._waiting
    assert waiting is not None
    os.kill(waiting.pid, signal.SIGKILL)
    assert wait_readable(waiting.sock, 5.0)
    child = cell.child()
    assert child is not waiting
    assert waiting.sock.fileno() == -1
    assert not wait_readable(child.sock, 0.1), "it lives and waits"


def test_child_that_waited_too_long_is_not_handed_out(cell: Cell, monkeypatch: pytest.MonkeyPatch) -> None:
    cell.fork_ahead()
    waiting = cell._waiting
    assert waiting is not None
    monkeypatch.setattr("grader.judging.pool.cells.WAIT_S", -1.0)
    assert cell.child() is not waiting
    assert not os.path.exists(f"/proc/{waiting.pid}")


def test_discarded_child_is_dead(cell: Cell) -> None:
    child = cell.child()
    cell.discard(child)
    assert not os.path.exists(f"/proc/{child.pid}")
    assert cell.host.zygote.ending(child.pid) is not None


def test_destroyed_cell_closes_every_child(cell: Cell) -> None:
    taken = cell.child()
    cell.fork_ahead()
    cell.destroy()
    assert taken.sock.fileno() == -1
    assert taken.output == -1


def test_killed_cell_is_lost_and_can_still_be_destroyed(cell: Cell) -> None:
    child = cell.child()
    os.kill(cell.host.pid, signal.SIGKILL)
    with pytest.raises(CellLost):
        cell.fork_ahead()
    with pytest.raises(CellLost):
        cell.discard(child)
    cell.destroy()


def test_child_of_a_dead_zygote_ends_with_its_cell(cell: Cell) -> None:
    """A child that was forked just before its zygote died can miss the signal of its parent's death. It must still end, because
    its socket is closed.
    """
    child = cell.child()
    os.kill(cell.host.pid, signal.SIGKILL)
    cell.destroy()
    until = time.monotonic() + 30
    while _runs(child.pid):
        assert time.monotonic() < until
        time.sleep(0.01)


def _runs(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def test_child_discarded_the_moment_it_is_forked_leaves_nothing(cell: Cell) -> None:
    for _ in range(10):
        child = cell.child()
        cell.discard(child)
        assert not os.path.exists(f"/proc/{child.pid}")


def test_child_that_is_sent_garbage_ends(cell: Cell) -> None:
    child = cell.child()
    child.sock.sendall(b"not a frame at all, and long enough for a whole header")
    with pytest.raises(WireClosed):
        receive(child.sock, caps=Caps(), deadline=time.monotonic() + 10)
