"""Collects facts about this machine, which its administrators see."""

import os
import platform
import resource
from importlib.metadata import version
from pathlib import Path

# The memory limit of the node's own process, in bytes: OWN_BYTES (it takes 55 MB, plus the stacks of its threads), and
# SLOT_BYTES for each slot (a frame in each direction, and results). If a job needs more, an allocation in the node fails, but
# the machine does not run out of memory.
OWN_BYTES, SLOT_BYTES = 1 << 30, 256 << 20


def limit_memory(slots: int) -> None:
    """Limit the memory of this process to what a node with this many slots needs.

    Call this only in nodes whose cells are containers: process cells would inherit the limit.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = OWN_BYTES + slots * SLOT_BYTES
    resource.setrlimit(resource.RLIMIT_DATA, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def versions() -> dict[str, str]:
    """Return the versions of Python and the kernel, and the pid of this process. The version of torch is not listed, because
    jobs use the torch in the image.
    """
    return {"python": platform.python_version(), "kernel": platform.release(), "pid": str(os.getpid())}


def labels(image: str) -> dict[str, str]:
    """Return the facts about this machine that the admin page shows."""
    memory_gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "gradus": version("gradus"),
        **({"image": image} if image else {"torch": version("torch")}),
        "host": platform.node(),
        "processor": processor(),
        "cores": str(os.cpu_count()),
        "memory": f"{memory_gib:.1f} GiB",
    }


def processor() -> str:
    """Return the name of this machine's processor."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.machine()
