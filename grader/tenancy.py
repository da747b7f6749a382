"""One GPU, or MIG slice, of which one slot of one node is the only tenant: a lock that all nodes of a machine see, and a look at
its memory before every job's process is made.

A job that finds the GPU empty and runs out of its memory has itself to blame: what is there is all its own.
"""

import fcntl
import os
import tempfile
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from grader import gpus
from grader.errors import Unavailable
from grader.gpus import Gpu
from grader.hosts import Engine, Host, Shape

# The driver frees what a killed process held, but not at once.
FREED_S = 5.0
LOOK_EVERY_S = 0.2
# An idle GPU's own accounts vary a little. A context alone takes several times as much.
SLACK_MB = 32
# Private memory that the driver and CUDA's libraries take in every process which uses a GPU, on top of the job's limit.
CUDA_HOST_MB = 4096


class Tenancy:
    """A GPU and its lock. `occupied` says who is in the way, or is empty."""

    def __init__(self, gpu: Gpu, folder: Path | None = None) -> None:
        self.gpu = gpu
        self.occupied = ""
        self._path = (folder or Path(tempfile.gettempdir())) / f"gradus-{gpu.id}.lock"
        self._lock: int | None = None
        self._idle_mb = 0

    def hold(self) -> None:
        """Become the tenant, until the process ends or `close`; nothing when it is. Raises Unavailable."""
        if self._lock is not None:
            return
        try:
            lock = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
        except OSError as error:
            raise Unavailable(f"{self.gpu.title} cannot be locked ({self._path}: {error.strerror})") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._idle_mb = self._alone().used_mb
        except BlockingIOError:
            os.close(lock)
            raise Unavailable(f"{self.gpu.title} is another node's: name others with --gpus") from None
        except Unavailable:
            os.close(lock)
            raise
        self._lock = lock

    def require_empty(self) -> None:
        """Wait a moment until nothing of an earlier tenant is left. Raises Unavailable, and is `occupied` from then on."""
        until = time.monotonic() + FREED_S
        while not self.look_again():
            if time.monotonic() > until:
                raise Unavailable(self.occupied)
            time.sleep(LOOK_EVERY_S)

    def look_again(self) -> bool:
        """Whether it is empty now."""
        try:
            left = self._alone().used_mb - self._idle_mb
            self.occupied = f"{self.gpu.title} holds {left} MiB that nobody owns" if left > SLACK_MB else ""
        except Unavailable as error:
            self.occupied = str(error)
        return not self.occupied

    def _alone(self) -> Gpu:
        gpu = gpus.look((self.gpu.id,)).gpus[0]
        if gpu.programs:
            number = "a program" if gpu.programs == 1 else f"{gpu.programs} programs"
            raise Unavailable(f"{gpu.title} is in use by {number} that no job started: see nvidia-smi")
        return gpu

    def close(self) -> None:
        """Let others have it. The file stays: one that is removed while another node opens it would lock nothing."""
        if self._lock is not None:
            with suppress(OSError):
                os.close(self._lock)
            self._lock = None


class OnGpu:
    """An engine whose hosts have one GPU; how much memory it has is the job's affair."""

    def __init__(self, engine: Engine, gpu: Gpu) -> None:
        self._engine, self._gpu = engine, gpu
        self.own_uids = engine.own_uids

    def connect(self) -> None:
        """As the engine does."""
        self._engine.connect()

    def remove_leftovers(self) -> None:
        """As the engine does."""
        self._engine.remove_leftovers()

    def start(self, shape: Shape) -> Host:
        """A new warm host that sees this GPU and no other. Raises Unavailable."""
        memory_mb = shape.memory_mb + CUDA_HOST_MB
        return self._engine.start(replace(shape, gpu=self._gpu.id, spare_mb=CUDA_HOST_MB, memory_mb=memory_mb))
