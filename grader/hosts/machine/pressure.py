"""How long processes of this machine wait for a processor, from the kernel's pressure stall information."""

from pathlib import Path

PRESSURE = Path("/proc/pressure/cpu")


def starving(path: Path = PRESSURE) -> float | None:
    """The share of the last minute, 0 to 1, in which a process could have run but got no processor; None if the kernel does not
    report it.

    It is mostly cells that wait, because their CPU weight is low.
    """
    try:
        some = path.read_text().partition("\n")[0]
        return float(some.partition("avg60=")[2].partition(" ")[0]) / 100
    except (OSError, ValueError):
        return None
