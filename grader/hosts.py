"""The contract of a started zygote, whatever it runs in: a container (containers.py) or a plain process (processes.py)."""

import os
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from grader.zygote_client import ZygoteClient

WARM_S = 60.0
Role = Literal["cell", "judge"]


@dataclass(frozen=True)
class Shape:
    """What a host may use. Memory is a ceiling at start; a cell's is set per job, and `spare_mb` come on top of it. `gpu` is the
    driver's name of the one that it sees; without one it sees none.
    """

    role: Role
    memory_mb: int = 1536
    pids: int = 512
    cpus: float = 1.0
    tmp_mb: int = 64
    shm_mb: int = 64
    gpu: str = ""
    spare_mb: int = 0

    @property
    def device(self) -> str:
        """On what its jobs are judged: cpu or cuda."""
        return "cuda" if self.gpu else "cpu"


class Host(Protocol):
    """A started zygote with its accounts. Methods raise CellLost when it is gone."""

    zygote: ZygoteClient
    pid: int
    """The zygote's process, as the host sees it."""
    workroot: str
    device: str
    """Of its shape. On cuda a child holds a context from when it is forked, and says READY."""
    data_bytes: int | None

    def cpu_seconds(self) -> float:
        """CPU seconds so far."""

    def oom_kills(self) -> int:
        """Processes killed for lack of memory so far."""

    def peak_mb(self) -> float:
        """Largest memory of the job, in MiB."""

    def prepare(self, memory_mb: int) -> None:
        """Limits of the next job."""

    def reset_peak(self) -> None:
        """Start a new peak."""

    def alive(self) -> bool:
        """Whether the zygote answers."""

    def destroy(self) -> None:
        """End it and leave nothing."""


class Engine(Protocol):
    """What starts hosts. Methods raise Unavailable with what to do."""

    own_uids: bool
    """Whether children get uids of their own (without root, a process cell cannot change its account)."""

    def connect(self) -> None:
        """Look whether hosts can be started."""

    def remove_leftovers(self) -> None:
        """Remove what a node of this name left. Only before the first start, or after everything of one's own has ended."""

    def start(self, shape: Shape) -> Host:
        """A new warm host."""


def listen(path: Path) -> socket.socket:
    """Where one zygote will dial in, once it is warm. Anybody on the path may connect until `await_zygote` has closed it."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(path))
    path.chmod(0o666)
    listener.listen(1)
    return listener


def await_zygote(listener: socket.socket, complaint: Callable[[], str]) -> socket.socket:
    """The zygote's connection; the listener is gone afterwards, before any candidate exists.

    Raises OSError when the zygote ends before it is warm (`complaint` says why) or takes too long.
    """
    until = time.monotonic() + WARM_S
    listener.settimeout(1.0)
    with listener:
        while time.monotonic() < until:
            try:
                control, _ = listener.accept()
                os.unlink(listener.getsockname())
                control.setblocking(True)
                return control
            except TimeoutError:
                if text := complaint():
                    raise OSError(f"the zygote ended while warming: {text}") from None
    raise OSError(f"the zygote was not warm after {WARM_S:.0f} s")
