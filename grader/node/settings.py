"""Defines the settings of a node."""

from dataclasses import dataclass
from pathlib import Path

from grader.hosts.machine.gpus import Gpu


@dataclass(frozen=True)
class Settings:
    """Settings from the node's command line. If `device` is `cuda`, each slot uses one of the `gpus`. `kept` is the folder in
    which fetched packages are cached.
    """

    name: str
    packages: Path
    kept: Path
    slots: int = 2
    spares: int = 2
    device: str = "cpu"
    gpus: tuple[Gpu, ...] = ()
    image: str = ""
    cells: str = "docker"
