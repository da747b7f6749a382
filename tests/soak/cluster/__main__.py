"""Runs the soak on a cluster of two processes of the service, three nodes, PostgreSQL and NATS. The faults kill, freeze and
disconnect all of them.

    python -m tests.soak.cluster [--submissions 80] [--seed 1] [--minutes M] [--without word] [--only word] [--instant] [--calm]

The exit code is 0 only if every invariant held. The figures are written to var/bench/soak-cluster.json.
"""

import argparse
import signal
import sys

from rich.console import Console

from tests.soak.cluster.faults import FAULTS
from tests.soak.cluster.stage import cluster
from tests.soak.ground import Order
from tests.soak.report import OUT, line, show, show_plan, write
from tests.soak.run import soak
from tests.soak.schedule import plan

SUBMISSIONS_EACH = 4


def main() -> int:
    """Run one soak. Return 0 if no invariant was violated, otherwise 1."""
    options = _options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # runs the `finally` blocks, which stop every process
    count = 0 if options.calm else options.submissions // SUBMISSIONS_EACH
    strikes = plan(options.seed, count, frozenset(options.without), frozenset(options.only), FAULTS)
    order = Order(options.submissions, options.seed, options.minutes or max(3.0, count / 2))
    console = Console()
    show_plan(console, strikes, options.seed)
    with console.status("starting the cluster") as status:
        outcome = soak(cluster(instant=options.instant), order, strikes, lambda storm: status.update(line(storm)))
    show(console, outcome)
    write(outcome, OUT.with_name("soak-cluster.json"))
    return 1 if outcome.violations else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.cluster", description=__doc__)
    parser.add_argument("--submissions", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, help="no more faults after this; default: half a minute a fault")
    parser.add_argument("--without", action="append", default=[], metavar="WORD", help="leave faults of this name out")
    parser.add_argument("--only", action="append", default=[], metavar="WORD", help="only faults of this name")
    parser.add_argument("--instant", action="store_true", help="nodes that answer at once, without cells")
    parser.add_argument("--calm", action="store_true", help="no faults at all, to compare with")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
