"""Gather this process's heap into huge pages, so that a fork copies hundreds of page-table entries and not sixty thousand.

Forking and ending a child of a warm torch process costs some 15 ms of kernel time in small pages, under 3 ms afterwards. A
page that a child writes to is still copied as 4 KiB. Where the kernel cannot do it (before 6.1), nothing changes but the speed.
"""

from collections.abc import Iterator
from contextlib import suppress

from grader.inside import kernel

HUGE = 2 << 20
MAPS = "/proc/self/maps"


def gather() -> int:
    """Collapse what can be of the private anonymous memory; returns the bytes of the ranges that the kernel accepted."""
    gathered = 0
    for start, length in _ranges():
        with suppress(OSError):  # memory is short, or the kernel is older: slower, and just as right
            kernel.madvise(start, length, kernel.MADV_COLLAPSE)
            gathered += length
    return gathered


def _ranges() -> Iterator[tuple[int, int]]:
    """Start and length of each whole stretch of huge pages in writable anonymous mappings, the heap included."""
    with open(MAPS, encoding="utf-8") as lines:
        mappings = [line.split() for line in lines]
    for span, mode, _, _, _, *path in mappings:
        if mode == "rw-p" and path in ([], ["[heap]"]):
            low, high = (int(end, 16) for end in span.split("-"))
            start = -(-low // HUGE) * HUGE
            if (length := high // HUGE * HUGE - start) > 0:
                yield start, length
