"""Runs the gate once, on files from stdin. A node starts this program as `python -m grader.gate.team_run`."""

import argparse
import os
import resource
import signal
import sys
import time

import msgspec

from grader.contract.errors import GraderError
from grader.contract.transport import Proved, Proving
from grader.gate.team_run.run import GateRequest, prove
from grader.hosts.cgroup import SHARES
from grader.hosts.host import Engine
from grader.judging.pool.judge_supervisor import TEAM_JUDGE
from grader.judging.workbench import Workbench, engine

SLOTS = 1
TELL_EVERY_S = 0.5
# Limits of this process: its address space in bytes, and its CPU time in seconds. This process only reads the author's files;
# the code in these files runs in containers, which have their own limits.
MEMORY_BYTES, CPU_S = 4 << 30, 600
POLITE = 5


class ProgressReporter:
    """Reports to the node how many judgings have ended. Sends at most one report every TELL_EVERY_S seconds."""

    def __init__(self) -> None:
        self.judgings, self._told_at = 0, 0.0

    def note(self) -> None:
        """Count one more judging, and report the number if the last report is more than TELL_EVERY_S seconds old."""
        self.judgings += 1
        if time.monotonic() - self._told_at > TELL_EVERY_S:
            self._told_at = time.monotonic()
            say(Proving(id="", token="", judgings=self.judgings))


def say(message: Proving | Proved) -> None:
    """Send a message to the node, as a line of JSON on stdout."""
    sys.stdout.buffer.write(msgspec.json.encode(message) + b"\n")
    sys.stdout.buffer.flush()


def _engine(options: argparse.Namespace) -> Engine:
    return engine(options.cells, options.image, options.label, cpu_shares=options.cpu_shares)


def main() -> int:
    """Run the gate on the files from stdin. If the gate cannot run, writes the reason to stderr and returns 1."""
    parser = argparse.ArgumentParser(prog="python -m grader.gate.team_run")
    parser.add_argument("--cells", choices=("docker", "process"), default="docker")
    parser.add_argument("--image", required=True)
    parser.add_argument("--label", required=True)
    parser.add_argument("--cpu-shares", type=int, default=SHARES)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    os.nice(POLITE)
    # On SIGTERM, exit through the `finally` block below, which ends the containers.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    wish = msgspec.json.decode(sys.stdin.buffer.read(), type=GateRequest)
    bench = Workbench(_engine(options), slots=SLOTS, judge=TEAM_JUDGE)
    try:
        bench.start()
        say(prove(bench, wish, ProgressReporter().note))
    except (GraderError, MemoryError, RecursionError) as error:
        print(f"{error or type(error).__name__}"[:500], file=sys.stderr)
        return 1
    finally:
        bench.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
