"""Sends real submissions with known verdicts over HTTP, while faults hit every component of the service (`make soak`).

    python -m tests.soak [--submissions 200] [--seed 1] [--minutes M] [--without engine] [--only disk] [--calm]

The exit code is 0 only if every invariant held. The figures are written to var/bench/soak.json.
"""

import argparse
import signal
import sys

from rich.console import Console

from tests.soak.ground import Order
from tests.soak.report import line, show, show_plan, write
from tests.soak.run import soak
from tests.soak.schedule import plan
from tests.soak.stage import SUBMISSIONS_EACH, stage


def main() -> int:
    """Run one soak. Return 0 if no invariant was violated, otherwise 1."""
    options = _options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # runs the `finally` blocks, which stop the service
    without = frozenset(options.without)
    count = 0 if options.calm else options.submissions // SUBMISSIONS_EACH
    strikes = plan(options.seed, count, without, frozenset(options.only))
    minutes = options.minutes or max(4.0, options.submissions / 60)
    console = Console()
    show_plan(console, strikes, options.seed)
    with console.status("starting the service: one database on its own disk, one node, its cells") as status:
        order = Order(options.submissions, options.seed, minutes, options.image)
        outcome = soak(stage(order), order, strikes, lambda storm: status.update(line(storm)))
    show(console, outcome)
    write(outcome)
    return 1 if outcome.violations else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--submissions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, help="no more faults after this; default: what the submissions need")
    parser.add_argument("--image", default="", help="grader image; default: the service's own")
    parser.add_argument("--without", action="append", default=[], metavar="WORD", help="leave faults of this name out")
    parser.add_argument("--only", action="append", default=[], metavar="WORD", help="only faults of this name")
    parser.add_argument("--calm", action="store_true", help="no faults at all, to compare with")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
