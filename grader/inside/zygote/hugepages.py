"""Collapses this process's heap into huge pages, so that a fork copies hundreds of page-table entries instead of sixty
thousand. The node starts zygotes with an allocator that asks for huge pages (see host.py), so only the rest is left to collapse.

Forking a warm torch process and ending the child takes about 15 ms of kernel time with small pages, and less than 3 ms with
huge pages. A page that a child writes to is still copied as 4 KiB. Kernels before 6.1 cannot collapse pages: forks are slower
there, but everything else works.
"""

from collections.abc import Iterator
from contextlib import suppress

from grader.inside.confine import kernel

HUGE = 2 << 20
MAPS = "/proc/self/maps"


def collapse() -> int:
    """Collapse private anonymous memory where possible. Returns how many bytes of memory the kernel agreed to collapse."""
    gathered = 0
    for start, length in _ranges():
        with suppress(OSError):  # too little memory, or a kernel before 6.1: forks are slower, but still correct
            kernel.madvise(start, length, kernel.MADV_COLLAPSE)
            gathered += length
    return gathered


def _ranges() -> Iterator[tuple[int, int]]:
    """For each writable anonymous mapping (the heap is one of them), yield the start and length of the part that whole huge
    pages can cover.
    """
    with open(MAPS, encoding="utf-8") as lines:
        mappings = [line.split() for line in lines]
    for span, mode, _, _, _, *path in mappings:
        if mode == "rw-p" and path in ([], ["[heap]"]):
            low, high = (int(end, 16) for end in span.split("-"))
            start = -(-low // HUGE) * HUGE
            if (length := high // HUGE * HUGE - start) > 0:
                yield start, length
