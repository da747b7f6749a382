"""`python -m grader.proving`: one run of the gate, for the node that started it."""

import argparse
import os
import resource
import signal
import sys
import time

import msgspec

from grader.cgroup import SHARES
from grader.errors import GraderError
from grader.hosts import Engine
from grader.proving.gate import Wish, prove
from grader.slots import APART
from grader.transport import Proved, Proving
from grader.workbench import Workbench, engine

SLOTS = 1
TELL_EVERY_S = 0.5
# For reading what an author wrote; what it runs has limits of its own.
MEMORY_BYTES, CPU_S = 4 << 30, 600
POLITE = 5


class Teller:
    """Says now and then how many judgings have ended."""

    def __init__(self) -> None:
        self.judgings, self._told_at = 0, 0.0

    def note(self) -> None:
        """One more has ended."""
        self.judgings += 1
        if time.monotonic() - self._told_at > TELL_EVERY_S:
            self._told_at = time.monotonic()
            say(Proving(id="", token="", judgings=self.judgings))


def say(message: Proving | Proved) -> None:
    """One line for the node."""
    sys.stdout.buffer.write(msgspec.json.encode(message) + b"\n")
    sys.stdout.buffer.flush()


def _engine(options: argparse.Namespace) -> Engine:
    return engine(options.cells, options.image, options.label, cpu_shares=options.cpu_shares)


def main() -> int:
    """Exit code 1, with a sentence on stderr, when the gate could not look."""
    parser = argparse.ArgumentParser(prog="python -m grader.proving")
    parser.add_argument("--cells", choices=("docker", "process"), default="docker")
    parser.add_argument("--image", required=True)
    parser.add_argument("--label", required=True)
    parser.add_argument("--cpu-shares", type=int, default=SHARES)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    os.nice(POLITE)
    # Asked to end, it ends its containers too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    wish = msgspec.json.decode(sys.stdin.buffer.read(), type=Wish)
    bench = Workbench(_engine(options), slots=SLOTS, judge=APART)
    try:
        bench.start()
        say(prove(bench, wish, Teller().note))
    except (GraderError, MemoryError, RecursionError) as error:
        print(f"{error or type(error).__name__}"[:500], file=sys.stderr)
        return 1
    finally:
        bench.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
