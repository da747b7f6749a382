"""Runs the candidate's process during one judging: loads the answer, passes the judge's calls to the process, and starts
another process for the next test if a process ends during a test.
"""

import time
from contextlib import suppress

import msgspec

from grader.contract import wire
from grader.contract.errors import JudgeLost
from grader.contract.job import Kind, Verdict
from grader.contract.wire import Caps, Frame
from grader.contract.wire import Kind as FrameKind
from grader.hosts.zygote_client import Child
from grader.judging.candidate_turns import CandidateTurns
from grader.judging.judge_turns import JudgeTurns
from grader.judging.loaded import read_loaded
from grader.judging.pool.cells import Cell
from grader.judging.request import JudgingRequest
from grader.judging.terminated import Terminated

# If the process's socket is readable before a call, the process has either sent something or closed the connection. To find out
# which, the node reads from the socket for at most this many seconds.
UNREQUESTED_READ_S = 0.5


class CandidateProcess:
    """A child of the cell that runs the answer. If the child has ended during the running test, `terminated` says why,
    otherwise it is None.
    """

    def __init__(self, request: JudgingRequest, cell: Cell, turns: CandidateTurns) -> None:
        self._request = request
        self._cell = cell
        self._turns = turns
        self._child: Child | None = None
        self.terminated: Terminated | None = None

    def load(self) -> Frame | Terminated:
        """Load the source in a child of the cell. Returns the LOADED frame, or the reason why the child ended while it was
        loading.
        """
        child = self._cell.child()
        self._child = child
        job, info = self._request.job, self._request.package.info
        tree = {
            "source": job.source,
            "snippet": job.snippet if job.kind is Kind.SCRATCH else "",
            "given": self._request.package.given,
            "probes": self._request.package.probes,
            "entries": msgspec.to_builtins(info.entry),
            "forbidden": list(info.forbidden.names),
            "device": job.device,
            "loopback": info.limits.loopback,
            "processes": info.limits.processes,
        }
        frame = Frame(FrameKind.BEGIN, wire.NO_CALL, msgspec.json.encode(tree), b"")
        reply = self._turns.turn(child, frame, wire.fresh_call(), kinds=(FrameKind.LOADED,))
        if isinstance(reply, Terminated):
            self._terminate(reply)
        return reply

    def call(self, frame: Frame, judge: JudgeTurns) -> None:
        """Pass a CALL frame from the judge to the process, and the process's reply back to the judge. Before it replies, the
        process may call functions of the test, which run in the judge.
        """
        if self.terminated is not None or not self._ensure_loaded():
            judge.send(FrameKind.GONE)
            return
        call = wire.fresh_call()
        reply = self._exchange(frame, call)
        while isinstance(reply, Frame) and reply.kind is FrameKind.CALLBACK:
            judge.forward(reply)
            answer = judge.receive()
            if answer.kind is not FrameKind.CALLBACK_REPLY:
                raise JudgeLost("the judge did not answer a callback")
            reply = self._exchange(answer, call)
        if isinstance(reply, Terminated):
            self._terminate(reply)
            judge.send(FrameKind.GONE)
        else:
            # If the judge stopped reading in the middle of a reply, it had already sent a frame that says why. The caller reads
            # that frame next.
            with suppress(wire.WireClosed):
                judge.forward(reply)

    def discard(self) -> None:
        """Kill the process, and with it every process in its namespaces."""
        if self._child is not None:
            child, self._child = self._child, None
            self._cell.discard(child)

    def _terminate(self, terminated: Terminated) -> None:
        self.terminated = terminated
        self.discard()

    def _ensure_loaded(self) -> bool:
        """If the process ended in an earlier test, load the source in a new child. Returns False if loading fails."""
        if self._child is not None:
            return True
        reply = self.load()
        if isinstance(reply, Terminated):
            return False
        if not read_loaded(reply).ok:
            message = "the answer could be loaded once, and not again after its process had ended"
            self._terminate(Terminated(Verdict.RE, message))
            return False
        return True

    def _exchange(self, frame: Frame, call: bytes) -> Frame | Terminated:
        assert self._child is not None
        if frame.kind is FrameKind.CALL and wire.pending(self._child.sock):
            return self._sent_unrequested(self._child)
        return self._turns.turn(self._child, frame, call, kinds=(FrameKind.REPLY, FrameKind.CALLBACK))

    def _sent_unrequested(self, child: Child) -> Terminated:
        """Return the outcome for a process that sent bytes, or closed its socket, although nothing was requested of it."""
        try:
            wire.receive(child.sock, caps=Caps(tree=0, blob=0), deadline=time.monotonic() + UNREQUESTED_READ_S)
        except wire.WireClosed:
            return self._turns.ended(child)
        except wire.WireError:
            pass
        return Terminated(Verdict.RE, "the answer's process sent something that was not asked for")
