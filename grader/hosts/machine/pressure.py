"""Measures how long processes of this machine wait for a processor, from the kernel's pressure stall information."""

from pathlib import Path

PRESSURE = Path("/proc/pressure/cpu")


def starving(path: Path = PRESSURE) -> float | None:
    """Return the share of the last minute, from 0 to 1, in which at least one process was ready to run but had no processor.
    Returns None if the kernel does not report this.

    Usually these are processes of cells, because cells have a low CPU weight.
    """
    try:
        some = path.read_text().partition("\n")[0]
        return float(some.partition("avg60=")[2].partition(" ")[0]) / 100
    except (OSError, ValueError):
        return None
