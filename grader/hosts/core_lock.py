"""Reserves a processor core for a slot.

In a judging, the process of the answer and the process of the tests take turns, hundreds of times. If the kernel chooses their
core at every turn, it often wakes an idle one, which takes longer than most calls. So both run on the core of their slot.
"""

import os
import socket
from contextlib import suppress
from pathlib import Path

# An address that only one socket on the machine can have. It leaves no file behind, and is free again when the process ends.
ADDRESS = "\0gradus-core-{}"


class Core:
    """A core that is reserved until `release` is called or this process ends. `number` is the kernel's number of it."""

    def __init__(self, number: int, held: socket.socket) -> None:
        self.number = number
        self._held = held

    def release(self) -> None:
        """Let other slots reserve the core."""
        self._held.close()


def reserve() -> Core | None:
    """Reserve a core that this process may use and that no slot on this machine has reserved. Returns None if there is none."""
    for number in sorted(os.sched_getaffinity(0), key=lambda number: (_thread(number), number)):
        held = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            held.bind(ADDRESS.format(number))
        except OSError:
            held.close()
            continue
        return Core(number, held)
    return None


def _thread(number: int) -> int:
    """Return the position of a core among the hardware threads of its physical core. First threads are reserved first, so that
    two slots do not share a physical core while another one is idle.
    """
    with suppress(OSError, ValueError):
        siblings = Path(f"/sys/devices/system/cpu/cpu{number}/topology/thread_siblings_list").read_text().strip()
        ranges = [[int(end) for end in part.split("-")] for part in siblings.split(",")]
        return sorted(each for ends in ranges for each in range(ends[0], ends[-1] + 1)).index(number)
    return 0
