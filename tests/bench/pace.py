"""Measures how fast the machine is, in the same way as a node, in several fresh cells: `python -m tests.bench.pace [CELLS]`.

Run it on a machine without other load. On the reference machine, the median is REFERENCE_S.
"""

import sys
from statistics import median

from grader.hosts.machine.facts import labels
from grader.judging.slots.machine_speed import REFERENCE_S, measure_cpu_s
from grader.judging.workbench import workbench


def main(cells: int = 10) -> None:
    """Measure in `cells` cells, one after the other, and print the results."""
    found = []
    with workbench(slots=1) as bench:
        for _ in range(cells):
            cell = bench.spares.take()
            found.append(measure_cpu_s(cell))
            bench.spares.retire(cell)
    print(labels("")["processor"])
    print(f"{cells} cells: {min(found):.5f} to {max(found):.5f} s of CPU, median {median(found):.5f} s")
    print(f"speed {REFERENCE_S / median(found):.3f} of the reference machine")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
