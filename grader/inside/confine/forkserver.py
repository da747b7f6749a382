"""Forks a child for each fork command. Runs in the zygote, and in the judge also in the parent process of each package.

Commands are frames over one stream socket. A fork command is followed by a single byte, with which the descriptors for the new
child are sent (SCM_RIGHTS). The argument `extra` of ForkServer adds further commands.

    {"do": "fork", "fds": n, …} -> {"pid": …}       {"do": "status", "pid": …} -> {"running": bool, "status": int | null}
    {"do": "kill", "pid": …} -> {}                  {"do": "ping"} -> {}
"""

import os
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

from grader.contract.wire import Caps, Deadline, Kind, WireClosed, receive, send

PAUSE_S = 0.001
COMMAND_CAPS = Caps(tree=1 << 20, blob=0)
Child = Callable[[dict[str, Any], list[int]], None]
Extra = dict[str, Callable[[dict[str, Any]], dict[str, Any]]]


class ForkServer:
    """Answers commands until the socket closes. Each forked process runs the function `child` and then exits."""

    def __init__(self, sock: socket.socket, child: Child, extra: Extra | None = None) -> None:
        self._sock = sock
        self._child = child
        self._extra = extra or {}
        self._running: set[int] = set()
        self._ended: dict[int, int] = {}

    def serve(self) -> None:
        """Serve until the peer closes the socket. Commands are answered one at a time, in order."""
        while True:
            try:
                frame = receive(self._sock, caps=COMMAND_CAPS, deadline=None)
            except WireClosed:
                return
            self._reap()
            send(self._sock, Kind.ANSWER, self._answer(frame.json()))

    def _answer(self, command: dict[str, Any]) -> dict[str, Any]:
        do = command["do"]
        if do == "fork":
            return {"pid": self._fork(command)}
        if do == "status":
            return self._status(command["pid"])
        if do == "kill":
            return self._kill(command["pid"])
        try:
            return self._extra[do](command) if do != "ping" else {}
        except Exception as error:
            return {"error": f"{do}: {type(error).__name__}: {error}"}

    def _fork(self, command: dict[str, Any]) -> int:
        _, fds, _, _ = socket.recv_fds(self._sock, 1, command["fds"])
        pid = os.fork()
        if pid == 0:
            self._become(command, fds)
        for fd in fds:
            os.close(fd)
        # The kernel may have given the new child the pid of an earlier child, whose status was never requested. That status is
        # dropped.
        self._ended.pop(pid, None)
        self._running.add(pid)
        return pid

    def _become(self, command: dict[str, Any], fds: list[int]) -> NoReturn:
        code = 1
        try:
            self._sock.close()
            self._child(command, fds)
            code = 0
        except BaseException:
            with suppress(BaseException):
                traceback.print_exc(file=sys.stderr)
        finally:
            os._exit(code)

    def _reap(self) -> None:
        with suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    return
                if pid in self._running:  # the status of an orphan is not recorded: a job may leave very many orphans
                    self._running.remove(pid)
                    self._ended[pid] = status

    def end(self, pid: int, *, deadline_s: float = 5.0) -> None:
        """Kill a child by its pid and wait until it is dead. Killing by uid would miss a child that was just forked, because it
        does not have its own uid yet.
        """
        self._kill(pid)
        until = time.monotonic() + deadline_s
        with suppress(ChildProcessError):
            while os.waitpid(pid, os.WNOHANG) == (0, 0) and time.monotonic() < until:
                time.sleep(PAUSE_S)

    def _kill(self, pid: int) -> dict[str, Any]:
        """Kill a child and forget it. Sends no signal if the child has already been reaped, because another process may have
        its pid by now.
        """
        self._ended.pop(pid, None)
        if pid in self._running:
            self._running.remove(pid)
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return {}

    def _status(self, pid: int) -> dict[str, Any]:
        """Report whether a child is running. The wait status of a child that has ended is reported only once."""
        if pid in self._ended:
            return {"running": False, "status": self._ended.pop(pid)}
        return {"running": os.path.exists(f"/proc/{pid}"), "status": None}


def command(sock: socket.socket, order: dict[str, Any], fds: list[int], *, deadline: Deadline) -> dict[str, Any]:
    """Send a command (and descriptors) to a fork server, and wait for the answer. Raises WireError."""
    send(sock, Kind.COMMAND, {**order, "fds": len(fds)}, deadline=deadline)
    if fds:
        socket.send_fds(sock, [b"+"], fds)
    answer: dict[str, Any] = receive(sock, caps=COMMAND_CAPS, deadline=deadline).json()
    return answer
