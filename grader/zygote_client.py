"""The node's end of a zygote: fork a child with a socket of its own, ask after it, wipe what it left."""

import os
import signal
import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from grader.errors import CellLost, GraderError
from grader.inside.forkserver import command
from grader.wire import WireError

COMMAND_S = 20.0


@dataclass
class Child:
    """A forked child: its socket, the read end of the pipe that takes what it prints, pid inside, and uid."""

    sock: socket.socket
    output: int
    pid: int
    uid: int

    def close(self) -> None:
        """Close our ends; the child notices."""
        self.sock.close()
        if self.output >= 0:
            os.close(self.output)
            self.output = -1


class ZygoteClient:
    """Commands to one zygote, one at a time. Every method raises CellLost when the zygote is gone or does not answer."""

    def __init__(self, control: socket.socket, *, lost: type[GraderError] = CellLost) -> None:
        self._control = control
        self._lost = lost
        self._lock = threading.Lock()
        self._count = 0

    def fork(self, uid: int, *, workroot: str = "/tmp", data_bytes: int | None = None) -> Child:
        """A fresh confined child of `uid`, waiting at its socket."""
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
        """Kill a child and all of its uid, empty what it could write to; returns findings, none when the cell is clean."""
        answer = self._ask({"do": "wipe", "uid": child.uid, "pid": child.pid}, [])
        findings: list[str] = answer.get("findings") or ([answer["error"]] if "error" in answer else [])
        return findings

    def ending(self, pid: int, seconds: float = 0.2) -> str | None:
        """How a child ended, in words, or None if it still runs after `seconds`."""
        until = time.monotonic() + seconds
        while True:
            answer = self._ask({"do": "status", "pid": pid}, [])
            if not answer["running"]:
                return _in_words(answer["status"])
            if time.monotonic() > until:
                return None
            time.sleep(0.005)

    def kill(self, pid: int) -> None:
        """SIGKILL to one child."""
        self._ask({"do": "kill", "pid": pid}, [])

    def ping(self) -> None:
        """Raises CellLost unless the zygote answers."""
        self._ask({"do": "ping"}, [])

    def answers(self) -> bool:
        """Whether the zygote still runs."""
        with suppress(GraderError):
            self.ping()
            return True
        return False

    def close(self) -> None:
        """Close the control connection: the zygote ends."""
        self._control.close()

    def _ask(self, order: dict[str, object], fds: list[int]) -> dict[str, Any]:
        with self._lock:
            try:
                return command(self._control, order, fds, deadline=time.monotonic() + COMMAND_S)
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
