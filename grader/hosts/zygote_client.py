"""Sends commands to a zygote: fork a child with its own socket, report how a child ended, clean up after a child."""

import os
import signal
import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from grader.contract.errors import CellLost, GraderError
from grader.contract.wire import WireError
from grader.hosts.machine.stopwatch import Account, patience
from grader.inside.confine.forkserver import command

# A command may take at most COMMAND_IDLE_S seconds of idle time and COMMAND_WALL_S seconds of wall-clock time. Waiting for a
# processor does not count as idle. A fork takes milliseconds of CPU time; cleaning up after a fork bomb takes a third of a
# second.
COMMAND_IDLE_S = 20.0
COMMAND_WALL_S = 600.0


@dataclass
class Child:
    """A forked child: the node's end of its socket, the read end of its output pipe, its pid inside the host, and its uid."""

    sock: socket.socket
    output: int
    pid: int
    uid: int

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

    def fork(self, uid: int, *, workroot: str = "/tmp", data_bytes: int | None = None) -> Child:
        """Fork a confined child that runs as `uid` and waits for commands on its socket."""
        ours, theirs = socket.socketpair()
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        self._count += 1
        order = {"do": "fork", "uid": uid, "workdir": f"{workroot}/job-{self._count}", "data_bytes": data_bytes}
        try:
            pid = self._ask(order, [theirs.fileno(), writing])["pid"]
        except GraderError:
            ours.close()
            os.close(reading)
            raise
        finally:
            theirs.close()
            os.close(writing)
        return Child(ours, reading, pid, uid)

    def wipe(self, child: Child) -> list[str]:
        """Kill a child and every process of its uid, and empty the folders that it could write to.

        Returns a description of each thing that could not be removed. The list is empty if everything was removed.
        """
        answer = self._ask({"do": "wipe", "uid": child.uid, "pid": child.pid}, [])
        findings: list[str] = answer.get("findings") or ([answer["error"]] if "error" in answer else [])
        return findings

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

    def kill(self, pid: int) -> None:
        """Send SIGKILL to one child, but not to its descendants or to other processes of its uid."""
        self._ask({"do": "kill", "pid": pid}, [])

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
    return f"ended with exit status {os.waitstatus_to_exitcode(status)}"


def _signal_name(number: int) -> str:
    try:
        return f"signal {number} ({signal.Signals(number).name})"
    except ValueError:  # most real-time signals have no name
        return f"signal {number}"
