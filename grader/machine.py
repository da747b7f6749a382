"""What this machine is, for those who look after it."""

import os
import platform
from importlib.metadata import version
from pathlib import Path


def versions() -> dict[str, str]:
    """What a report should name: Python and kernel of the host (torch's version is the image's)."""
    return {"python": platform.python_version(), "kernel": platform.release(), "pid": str(os.getpid())}


def labels(image: str) -> dict[str, str]:
    """What admins see of this machine. In containers, torch is the image's."""
    memory_gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "gradus": version("gradus"),
        **({"image": image} if image else {"torch": version("torch")}),
        "host": platform.node(),
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "memory": f"{memory_gib:.1f} GiB",
    }


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.machine()
