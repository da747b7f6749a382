"""Sends commands to a zygote: fork a child with its own socket, report how a child ended, end a child."""

import os
import signal
import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from grader.contract.errors import CellLost, GraderError, Unavailable
from grader.contract.wire import WireError
from grader.hosts.machine.stopwatch import Account, patience
from grader.inside.confine.forkserver import command
from grader.inside.confine.namespaces import SIGNALLED

# A command may take at most COMMAND_IDLE_S seconds of idle time and COMMAND_WALL_S seconds of wall-clock time. Waiting for a
# processor does not count as idle. A fork takes milliseconds of CPU time; ending a fork bomb takes a third of a second.
COMMAND_IDLE_S = 20.0
COMMAND_WALL_S = 600.0


@dataclass
class Child:
    """A forked child: the node's end of its socket, the read end of its output pipe, and its pid as its parent sees it. A
    child in namespaces of its own is known by the pid of their process 1.
    """

    sock: socket.socket
    output: int
    pid: int

    def close(self) -> None:
        """Close the node's ends of the socket and the pipe, which tells the child to exit."""
        self.sock.close()
        if self.output >= 0:
            os.close(self.output)
            self.output = -1


class ZygoteClient:
    """Sends commands to one zygote, one at a time.

    `account` measures the CPU use of the zygote's host. Methods raise the exception `lost` if the zygote is gone or does not
    answer.
    """

    def __init__(self, control: socket.socket, account: Account, *, lost: type[GraderError] = CellLost) -> None:
        self._control = control
        self._account = account
        self._lost = lost
        self._lock = threading.Lock()
        self._count = 0

    def isolation_problem(self) -> str:
        """Return why the zygote's children have no namespaces of their own; an empty string if they have."""
        return str(self._ask({"do": "isolation"}, [])["problem"])

    def fork(self, *, workroot: str = "/tmp", data_bytes: int | None = None) -> Child:
        """Fork a confined child that waits for commands on its socket. Raises Unavailable if the zygote cannot fork now, for
        example because the machine has no namespaces left.
        """
        ours, theirs = socket.socketpair()
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        self._count += 1
        order: dict[str, object] = {"do": "fork", "workdir": f"{workroot}/job-{self._count}", "data_bytes": data_bytes}
        try:
            pid = self._answer(order, [theirs.fileno(), writing])["pid"]
        except GraderError:
            ours.close()
            os.close(reading)
            raise
        finally:
            theirs.close()
            os.close(writing)
        return Child(ours, reading, pid)

    def end(self, child: Child) -> None:
        """Kill a child and wait until it has ended. If the child has namespaces of its own, every process in them has ended
        then too. Raises Unavailable if the child could not be killed.
        """
        child.close()
        self._answer({"do": "end", "pid": child.pid}, [])

    def ending(self, pid: int, seconds: float = 0.2) -> str | None:
        """Wait at most `seconds` for a child to end, and describe how it ended, e.g. by which signal. Returns None if it still
        runs.
        """
        until = time.monotonic() + seconds
        while True:
            answer = self._ask({"do": "status", "pid": pid}, [])
            if not answer["running"]:
                return _in_words(answer["status"])
            if time.monotonic() > until:
                return None
            time.sleep(0.005)

    def pin(self, core: int, child: Child | None = None) -> None:
        """Let a child run on one core only; without `child`, all children that are forked from now on.

        No judging needs this. So nothing happens if the kernel refuses, for example because the container may not use the core,
        or if the zygote is gone.
        """
        with suppress(GraderError):
            self._ask({"do": "pin", "pid": 0 if child is None else child.pid, "core": core}, [])

    def ping(self) -> None:
        """Check that the zygote answers. Raises `lost` if it does not."""
        self._ask({"do": "ping"}, [])

    def answers(self) -> bool:
        """Return whether the zygote still answers."""
        with suppress(GraderError):
            self.ping()
            return True
        return False

    def close(self) -> None:
        """Close the control connection, which ends the zygote."""
        self._control.close()

    def _answer(self, order: dict[str, object], fds: list[int]) -> dict[str, Any]:
        answer = self._ask(order, fds)
        if "error" in answer:
            raise Unavailable(f"the zygote cannot {order['do']} a child: {answer['error']}")
        return answer

    def _ask(self, order: dict[str, object], fds: list[int]) -> dict[str, Any]:
        with self._lock:
            try:
                deadline = patience(self._account, idle_s=COMMAND_IDLE_S, wall_s=COMMAND_WALL_S)
                return command(self._control, order, fds, deadline=deadline)
            except (WireError, OSError, KeyError) as error:
                raise self._lost(f"the zygote does not answer {order['do']!r}: {error}") from error


def _in_words(status: int | None) -> str:
    if status is None:
        return "ended"
    if os.WIFSIGNALED(status):
        return f"was killed by {_signal_name(os.WTERMSIG(status))}"
    code = os.waitstatus_to_exitcode(status)
    if code > SIGNALLED:  # process 1 of the child's namespaces passes on how the child ended
        return f"was killed by {_signal_name(code - SIGNALLED)}"
    return f"ended with exit status {code}"


def _signal_name(number: int) -> str:
    try:
        return f"signal {number} ({signal.Signals(number).name})"
    except ValueError:  # most real-time signals have no name
        return f"signal {number}"
