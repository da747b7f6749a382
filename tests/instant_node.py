"""Runs a node that uses the real protocol but returns verdicts immediately, without a cell: `python -m tests.instant_node`.

Comments in an answer control the result. With `# wait 2`, the node takes 2 seconds. With `# verdict WA`, the verdict is WA.
With `# fault`, the node reports a fault of the grader. All other answers get the verdict from `--verdict`. With `--measures`, the
node measures answers: with `# ratio 3.2`, the answer is 3.2 times as fast as the baseline, and with `# below the floor`, faster
than the machine can be.
"""

import argparse
import re
import signal
import socket
import sys
import threading
import time
from pathlib import Path

from grader.content.package_cache import PackageCache
from grader.contract import subjects, transport
from grader.contract.job import Job, Verdict
from grader.contract.measurement import Measure, Measured, Measurement, Measuring
from grader.judging.slots.stages import Stages
from grader.node import selftest
from grader.node.nats_bridge import NatsBridge
from grader.node.nats_connection import Access
from tests.api.practice.speed_boards.measuring_rig import result
from tests.api.scripted_node import judgement_of, result_of

WAIT = re.compile(r"# wait ([\d.]+)")
VERDICT = re.compile(r"# verdict ([A-Z]+)")
RATIO = re.compile(r"# ratio ([\d.]+)")
BEAT_S = 0.3


class InstantNode:
    """Sends and receives the messages of a node on a socket, whose other end is connected to the service."""

    def __init__(self, sock: socket.socket, options: argparse.Namespace) -> None:
        self._sock, self._options = sock, options
        self._running: set[str] = set()
        self._lock = threading.Lock()
        self._idle = threading.Condition(self._lock)
        self._draining = False

    def serve(self, name: str) -> None:
        """Serve until the service sends Drain or the connection is lost. Then wait for the running jobs."""
        lanes, measures = {"short": 0, "any": self._options.slots}, self._options.measures
        self._send(transport.Hello(name, "cpu", lanes, {"python": "3"}, measures=measures))
        self._tell_capacity()
        threading.Thread(target=self._beat, daemon=True).start()
        while True:
            try:
                message = transport.receive_from_service(self._sock)
            except OSError:
                return
            if isinstance(message, transport.Offer):
                with self._lock:
                    self._running.add(message.job.token)
                self._send(transport.Accepted(message.job.id, message.job.token))
                job = message.job, message.trace
                if WAIT.search(message.job.source):
                    threading.Thread(target=self._judge, args=job, daemon=True).start()
                else:
                    self._judge(*job)
            elif isinstance(message, Measure):
                self._send(Measuring(message.id, message.token, 6, 0.08))
                self._send(Measured(message.id, message.token, measured(message.source)))
            elif isinstance(message, transport.Drain):
                break
        with self._idle:
            self._draining = True
            self._idle.wait_for(lambda: not self._running, 30)

    def _judge(self, job: Job, trace: str) -> None:
        stages = Stages(lambda took: self._send(transport.Traced(job.token, trace, took)) if trace else None)
        stages.ended(transport.WAITING)
        if wait := WAIT.search(job.source):
            time.sleep(float(wait[1]))
        fault = "# fault" in job.source
        told = transport.Fault(job.id, job.token, "It was told to fail.") if fault else self._judged(job)
        stages.ended(transport.JUDGING)
        self._send(told)
        stages.ended(transport.CLEANING)
        with self._idle:
            self._running.discard(job.token)
            self._idle.notify_all()
        self._tell_capacity()

    def _judged(self, job: Job) -> transport.Judged:
        if job.slug == selftest.SLUG:
            return verdict_on(job, blind=self._options.blind)
        told = VERDICT.search(job.source)
        return transport.Judged(judgement_of(job, Verdict(told[1] if told else self._options.verdict)))

    def _tell_capacity(self) -> None:
        with self._lock:
            free = 0 if self._draining else self._options.slots - len(self._running)
        self._send(transport.Ready(short=0, any=free))

    def _beat(self) -> None:
        while True:
            with self._lock:
                tokens = tuple(self._running)
            self._send(transport.Heartbeat(tokens))
            time.sleep(BEAT_S)

    def _send(self, message: transport.FromNode) -> None:
        with self._lock:
            try:
                self._sock.sendall(transport.pack(message))
            except OSError:
                return


def measured(source: str) -> Measurement:
    """Return the measurement of an answer, as its comments tell. Without comments, it is as fast as the baseline."""
    told = RATIO.search(source)
    return result(float(told[1]) if told else 1.0, floor=1.0 if "# below the floor" in source else 1e-6)


def verdict_on(job: Job, *, blind: bool = False) -> transport.Judged:
    """Return the judgement that a working node gives for a job of the self-test. With `blind`, every answer is accepted."""
    right = blind or job.source == selftest.RIGHT
    verdict = Verdict.AC if right else Verdict.WA
    test = result_of("test_values_are_doubled", verdict, "" if right else "They are not.")
    return transport.Judged(judgement_of(job, verdict, tests=(test,)))


def main() -> int:
    """Run a node. Return exit code 3 if the service rejects it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", default="")
    parser.add_argument("--token", default="")
    parser.add_argument("--data", type=Path, default=Path("var"))
    parser.add_argument("--socket", default="", help="dial this Unix socket instead, as the local node does")
    parser.add_argument("--slots", type=int, default=1)
    parser.add_argument("--verdict", default="AC")
    parser.add_argument("--measures", action="store_true", help="measures answers too")
    parser.add_argument("--blind", action="store_true", help="accepts everything")
    options = parser.parse_args()
    if options.socket:
        near = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        near.connect(options.socket)
        InstantNode(near, options).serve("local")
        return 0
    name, seed = subjects.read_token(options.token)
    near, far = socket.socketpair()
    bridge = NatsBridge(Access(options.url, name, seed), far, PackageCache(options.data), {"gradus": "test"})
    signal.signal(signal.SIGTERM, lambda *_: bridge.drain())
    bridge.start()
    InstantNode(near, options).serve(name)
    near.close()
    bridge.join(30)
    print(bridge.refusal, flush=True)
    return 3 if bridge.refusal else 0


if __name__ == "__main__":
    sys.exit(main())
