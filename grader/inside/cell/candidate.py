"""The process in the cell that runs the candidate's answer. It loads one source, then answers calls until its socket closes.

This process never receives the tests, the expected values or the seeds from which the tests draw their inputs.
"""

import ast
import os
import resource
import socket
import sys
import threading
import types
from typing import Any

import torch

from grader.contract.wire import Buffer, Caps, Frame, Kind, WireClosed, receive, send
from grader.inside import loading
from grader.inside.cell import callbacks
from grader.inside.cell.arguments import CellState
from grader.inside.cell.operations import perform
from grader.inside.confine import seccomp
from grader.inside.confine.processes import tasks_of
from grader.inside.serialization.failures import describe
from grader.inside.serialization.givens import load_given

CAPS = Caps(tree=64 << 20, blob=1 << 32)


class Server:
    """Loads the source that arrives on a socket, then serves calls one at a time. During a call, the answer can call functions
    of the test, which run in the judge.
    """

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._call = b""
        self._calling_back = threading.RLock()
        self.world: CellState | None = None

    def serve(self) -> None:
        """Answer the frames that the judge sends, until the node closes the socket."""
        while True:
            try:
                frame = receive(self._sock, caps=CAPS, deadline=None)
            except WireClosed:
                return
            self._call = frame.call
            if frame.kind is Kind.BEGIN:
                send(self._sock, Kind.LOADED, self._begin(frame.json()), call=frame.call)
            elif self.world is not None:
                reply, blobs = perform(self.world, frame.json(), frame.blob)
                flush()
                send(self._sock, Kind.REPLY, reply, blobs, call=frame.call)

    def _begin(self, tree: dict[str, Any]) -> dict[str, Any]:
        try:
            finish_confinement(tree)
            self.world = self._load(tree)
            if tree.get("snippet"):
                run_snippet(self.world.solution, tree["snippet"])
        except loading.Refused as error:
            return {"ok": False, "refused": error.complaint}
        except BaseException as error:
            return {"ok": False, "error": describe(error)}
        finally:
            flush()
        return {"ok": True}

    def _load(self, tree: dict[str, Any]) -> CellState:
        torch.set_num_threads(tree.get("threads", 1))
        given = load_given(tree.get("given", ""))
        probes = loading.module_from("probes", tree.get("probes", ""), "probes.py")
        solution = loading.load_solution(tree["source"], tree["entries"], tuple(tree.get("forbidden", ())))
        entries = {entry["name"]: entry for entry in tree["entries"]}
        return CellState(solution, probes, given, entries, torch.device(tree.get("device", "cpu")), self._call_back)

    def _call_back(self, number: int, args: list[Any], kwargs: dict[str, Any]) -> Any:
        # The answer may use several threads, but they share one socket. Without the lock, one thread could read the reply that
        # is meant for another thread.
        with self._calling_back:
            assert self.world is not None
            return callbacks.call(self.world, self._exchange, number, args, kwargs)

    def _exchange(self, tree: dict[str, Any], blobs: list[Buffer]) -> Frame:
        """Send a CALLBACK frame, with which the answer calls a function of the test, and wait for the reply to that frame."""
        flush()
        send(self._sock, Kind.CALLBACK, tree, blobs, call=self._call)
        return receive(self._sock, caps=CAPS, deadline=None)


def finish_confinement(tree: dict[str, Any]) -> None:
    """Apply the job's process limit and system call filter. Call this before the answer's code is read.

    The limit counts this process and those that it starts, but not others of its uid, such as process 1 of its namespace.
    """
    most = tasks_of(os.getuid()) - 1 + int(tree["processes"])
    resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
    seccomp.install(seccomp.candidate_filter(loopback=bool(tree.get("loopback")), execute=False))


def run_snippet(solution: types.ModuleType, snippet: str) -> None:
    """Run a candidate's snippet in the namespace of the solution.

    If the last statement is an expression, its value is printed, as in the Python shell.
    """
    tree = ast.parse(snippet, "scratch.py")
    namespace = {**vars(solution), "__name__": "__scratch__", "solution": solution}
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "scratch.py", "exec", dont_inherit=True), namespace)
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), "scratch.py", "eval", dont_inherit=True), namespace)
        if value is not None:
            print(repr(value))


def flush() -> None:
    """Flush stdout and stderr. Errors are ignored, because the answer may have closed or replaced the streams."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            continue
