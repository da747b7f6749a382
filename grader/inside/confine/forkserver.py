"""Forks a child for each fork command. Runs in the zygote, and in the judge also in the parent process of each package.

Commands are frames over one stream socket. A fork command is followed by a single byte, with which the descriptors for the new
child are sent (SCM_RIGHTS). The argument `extra` of ForkServer adds further commands.

    {"do": "fork", "fds": n, …} -> {"pid": …}       {"do": "status", "pid": …} -> {"running": bool, "status": int | null}
    {"do": "end", "pid": …} -> {}                   {"do": "ping"} -> {}
    {"do": "pin", "pid": …, "core": n} -> {}, with pid 0 for the server itself and so for all later children

A command that failed is answered with {"error": …}.
"""

import os
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from grader.contract.wire import Caps, Deadline, Kind, WireClosed, receive, send
from grader.inside.confine.namespaces import NamespaceError, become, child_status

PAUSE_S = 0.001
# Killing a fork bomb takes a third of a second.
END_S = 10.0
COMMAND_CAPS = Caps(tree=1 << 20, blob=0)
# Forks a process for a command, to which the descriptors belong, and returns its pid.
Spawn = Callable[[dict[str, Any], list[int]], int]
Extra = dict[str, Callable[[dict[str, Any]], dict[str, Any]]]


def fork(run: Callable[[], None]) -> int:
    """Fork a process that calls `run` and exits. Returns its pid."""
    pid = os.fork()
    if pid == 0:
        become(run)
    return pid


class ForkServer:
    """Answers commands until the socket closes. `spawn` forks the processes."""

    def __init__(self, sock: socket.socket, spawn: Spawn, extra: Extra | None = None) -> None:
        self._sock = sock
        self._spawn = spawn
        self._known: Extra = {"fork": self._fork, "status": self._status, "end": self._end}
        self._known |= {"pin": _pin, "ping": lambda _: {}, **(extra or {})}
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
        try:
            return self._known[do](command)
        except NamespaceError as error:
            return {"error": str(error)}
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"}

    def _fork(self, command: dict[str, Any]) -> dict[str, Any]:
        _, fds, _, _ = socket.recv_fds(self._sock, 1, command["fds"])
        try:
            pid = self._spawn(command, fds)
        finally:
            for fd in fds:
                os.close(fd)
        # The kernel may have given the new child the pid of an earlier child, whose status was never requested. That status is
        # dropped.
        self._ended.pop(pid, None)
        self._running.add(pid)
        return {"pid": pid}

    def _reap(self) -> None:
        with suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    return
                if pid in self._running:  # the status of an orphan is not recorded: a job may leave very many orphans
                    self._running.remove(pid)
                    self._ended[pid] = status

    def _end(self, command: dict[str, Any]) -> dict[str, Any]:
        """Kill a child, wait until it is dead, and forget it. Process 1 of a pid namespace is dead only after every other
        process of the namespace.

        Sends no signal if the child has already been reaped, because another process may have its pid by now.
        """
        pid = command["pid"]
        self._ended.pop(pid, None)
        if pid in self._running:
            self._running.remove(pid)
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            until = time.monotonic() + END_S
            with suppress(ChildProcessError):
                while os.waitpid(pid, os.WNOHANG) == (0, 0):
                    if time.monotonic() > until:
                        raise TimeoutError(f"process {pid} is still alive {END_S:.0f} s after it was killed")
                    time.sleep(PAUSE_S)
        return {}

    def _status(self, command: dict[str, Any]) -> dict[str, Any]:
        """Report whether a child is running. The wait status of a child that has ended is reported only once.

        A child with namespaces has ended when process 1's own child has, even if other processes of the namespaces live on.
        """
        pid = command["pid"]
        if pid in self._ended:
            return {"running": False, "status": self._ended.pop(pid)}
        if (status := child_status(pid)) is not None:
            return {"running": False, "status": status}
        return {"running": os.path.exists(f"/proc/{pid}"), "status": None}


def _pin(command: dict[str, Any]) -> dict[str, Any]:
    os.sched_setaffinity(command["pid"], {command["core"]})
    return {}


def command(sock: socket.socket, order: dict[str, Any], fds: list[int], *, deadline: Deadline) -> dict[str, Any]:
    """Send a command (and descriptors) to a fork server, and wait for the answer. Raises WireError."""
    send(sock, Kind.COMMAND, {**order, "fds": len(fds)}, deadline=deadline)
    if fds:
        socket.send_fds(sock, [b"+"], fds)
    answer: dict[str, Any] = receive(sock, caps=COMMAND_CAPS, deadline=deadline).json()
    return answer
