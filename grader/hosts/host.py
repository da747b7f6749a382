"""Defines the interface to a host: a running zygote, which is either in a container (containers.py) or a plain process
(processes.py).
"""

import os
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from grader.contract.wire import WireTimeout
from grader.hosts.machine.stopwatch import Account, patience
from grader.hosts.machine.tasks import Tree
from grader.hosts.zygote_client import ZygoteClient

# A zygote that is warming up is considered stuck in two cases. Either it neither computes nor reads from the disk for
# WARM_IDLE_S seconds, or it has used WARM_CPU_S seconds of CPU time, which is far more than any machine needs.
WARM_IDLE_S = 180.0
WARM_CPU_S = 300.0
ASK_EVERY_S = 1.0
# How many files a job may have in its folder for temporary files, and in /dev/shm.
TMP, SHM = 4096, 1024
# How the jobs of a host are isolated from each other: each in namespaces of its own, or the host serves one job only, which is
# a container or a plain process.
Isolation = Literal["namespaces", "container", "process"]
Role = Literal["cell", "judge"]


@dataclass(frozen=True)
class Shape:
    """The role and the resources of a host.

    `memory_mb` is the memory limit at start. A cell gets a new limit for each job, with `spare_mb` added. `gpu` is the driver's
    id of the GPU that the host sees; empty if it sees none.
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
        """The torch device that jobs in this host use: cpu or cuda."""
        return "cuda" if self.gpu else "cpu"


# In the environment of every zygote. The C library's allocator then asks for huge pages from the start, so that the zygote need
# not gather its heap in huge pages when it is warm, which takes up to half a second of CPU. Other C libraries ignore it.
HUGE_PAGES = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}


class Host(Protocol):
    """A started zygote and the accounting of its processes. Methods raise CellLost if the zygote is gone.

    `pid` is the zygote's pid on the host. `device` is the torch device of its jobs. On cuda, each child creates its context
    when it is forked, and then sends READY.
    """

    zygote: ZygoteClient
    pid: int
    isolation: Isolation
    workroot: str
    device: str
    data_bytes: int | None

    def cpu_seconds(self) -> float:
        """Return the CPU seconds that all processes of the host have used so far."""

    def runs(self) -> bool | None:
        """Return whether any process of the host is running or ready to run; None if the kernel does not show it."""

    def find(self, pid: int) -> Tree | None:
        """Return the process whose pid inside the host is this one, as the zygote sees it, and all of its descendants."""

    def oom_kills(self) -> int:
        """Return how many processes the kernel has killed so far for lack of memory."""

    def peak_mb(self) -> float:
        """Return the job's largest memory use, in MiB."""

    def read_idle_memory(self) -> None:
        """Read how much memory the host uses while no job's process exists: `peak_mb` and the limit leave it out."""

    def prepare(self, memory_mb: int) -> None:
        """Set the memory limit of the next job."""

    def reset_peak(self) -> bool:
        """Reset the value that `peak_mb` returns, if the host supports that. Returns whether it does."""

    def alive(self) -> bool:
        """Return whether the zygote answers."""

    def destroy(self) -> None:
        """End the host and remove its files."""


class Engine(Protocol):
    """Starts hosts. Methods raise Unavailable with a message that says what to do."""

    def connect(self) -> None:
        """Check whether hosts can be started."""

    def remove_leftovers(self) -> None:
        """Remove the hosts that an earlier node with this name left behind. Call it only before the first start, or after all
        hosts of this node have ended.
        """

    def start(self, shape: Shape) -> Host:
        """Start a host and wait until it is warm."""


def listen(path: Path) -> socket.socket:
    """Open the socket to which one zygote connects once it is warm. Until `await_zygote` closes the socket, any process that
    can reach the path can connect.
    """
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(path))
    path.chmod(0o666)
    listener.listen(1)
    return listener


def await_zygote(listener: socket.socket, complaint: Callable[[], str], account: Account) -> socket.socket:
    """Wait until the zygote is warm and return its connection. The listening socket is removed before any answer runs.

    Raises OSError if the zygote ends before it is warm (`complaint` returns the reason), or if its CPU use, read from
    `account`, shows that it is stuck. The zygote may wait for a processor for any time: on a busy machine, another zygote in
    its place would have to wait just as long.
    """
    watch = patience(account, idle_s=WARM_IDLE_S, cpu_s=WARM_CPU_S)
    ask_at = time.monotonic() + ASK_EVERY_S
    with listener:
        while True:
            try:
                listener.settimeout(max(0.01, watch(True)))
                control, _ = listener.accept()
                os.unlink(listener.getsockname())
                control.setblocking(True)
                return control
            except WireTimeout as error:
                raise OSError(f"the zygote hangs while warming: {error}") from None
            except TimeoutError:
                if time.monotonic() > ask_at:
                    ask_at = time.monotonic() + ASK_EVERY_S
                    if text := complaint():
                        raise OSError(f"the zygote ended while warming: {text}") from None
