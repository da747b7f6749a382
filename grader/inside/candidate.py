"""The cell's child: loads one source, then answers calls until its socket closes. It holds nothing worth stealing."""

import ast
import resource
import socket
import sys
import threading
import types
from typing import Any

import torch

from grader.inside import functions, loading, seccomp
from grader.inside.calls import World
from grader.inside.failures import describe
from grader.inside.givens import load_given
from grader.inside.operations import perform
from grader.wire import Buffer, Caps, Frame, Kind, WireClosed, receive, send

CAPS = Caps(tree=64 << 20, blob=1 << 32)


class Server:
    """One socket, one world; a call at a time, with callbacks nested inside."""

    def __init__(self, sock: socket.socket, *, own_uid: bool) -> None:
        self._sock = sock
        self._own_uid = own_uid
        self._call = b""
        self._calling_back = threading.RLock()
        self.world: World | None = None

    def serve(self) -> None:
        """Answer frames until the node closes the socket."""
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
            seal(tree, own_uid=self._own_uid)
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

    def _load(self, tree: dict[str, Any]) -> World:
        torch.set_num_threads(tree.get("threads", 1))
        given = load_given(tree.get("given", ""))
        probes = loading.module_from("probes", tree.get("probes", ""), "probes.py")
        solution = loading.load_solution(tree["source"], tree["entries"], tuple(tree.get("forbidden", ())))
        entries = {entry["name"]: entry for entry in tree["entries"]}
        return World(solution, probes, given, entries, torch.device(tree.get("device", "cpu")), self._call_back)

    def _call_back(self, number: int, args: list[Any], kwargs: dict[str, Any]) -> Any:
        # An answer may use threads, but there is one wire: without the lock a reply would reach whoever reads first.
        with self._calling_back:
            assert self.world is not None
            return functions.call(self.world, self._exchange, number, args, kwargs)

    def _exchange(self, tree: dict[str, Any], blobs: list[Buffer]) -> Frame:
        """Send a CALLBACK from inside a call, and wait for what it returns."""
        flush()
        send(self._sock, Kind.CALLBACK, tree, blobs, call=self._call)
        return receive(self._sock, caps=CAPS, deadline=None)


def seal(tree: dict[str, Any], *, own_uid: bool) -> None:
    """The last step of confinement, when the job's own limits are known and before any of its code is read."""
    if own_uid:
        resource.setrlimit(resource.RLIMIT_NPROC, (tree["processes"], tree["processes"]))
    seccomp.install(seccomp.candidate_filter(loopback=bool(tree.get("loopback")), execute=False))


def run_snippet(solution: types.ModuleType, snippet: str) -> None:
    """Run a candidate's own lines with the names of their solution; show the value of a last expression, as a shell does."""
    tree = ast.parse(snippet, "scratch.py")
    namespace = {**vars(solution), "__name__": "__scratch__", "solution": solution}
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "scratch.py", "exec", dont_inherit=True), namespace)
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), "scratch.py", "eval", dont_inherit=True), namespace)
        if value is not None:
            print(repr(value))


def flush() -> None:
    """Push out what the answer printed; its streams may be closed, replaced or hostile."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            continue
