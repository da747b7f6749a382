"""Chooses the device for a submission that does not name one."""

from grader.content.package import Package


def default_device(package: Package) -> str:
    """Return the CPU, unless the challenge is for GPUs only."""
    return "cpu" if "cpu" in package.info.devices else package.info.devices[0]
