"""Reserves a GPU, or a MIG slice, for one slot of one node.

A lock file excludes other nodes on the machine. Before a child is forked, and after a job has run out of GPU memory, the slot
checks that no other program uses the GPU. So no job gets the verdict MLE because of another program.
"""

import fcntl
import os
import tempfile
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from grader.contract.errors import Unavailable
from grader.hosts.host import Engine, Host, Shape
from grader.hosts.machine import gpus
from grader.hosts.machine.gpus import Gpu

# Seconds to wait until the GPU's memory is empty: the driver frees the memory of a killed process with a delay.
FREED_S = 5.0
LOOK_EVERY_S = 0.2
# The GPU counts as in use if its used memory exceeds the idle value by more than this many MiB. The used memory of an idle GPU
# varies by less than this, and a CUDA context takes several times as much.
SLACK_MB = 32
# MiB of host memory that the driver and CUDA's libraries take in a process that uses a GPU. This amount is added to the job's
# memory limit.
CUDA_HOST_MB = 4096


class Tenancy:
    """A GPU and the lock that reserves it. `occupied` says why this node cannot use the GPU now; empty if it can."""

    def __init__(self, gpu: Gpu, folder: Path | None = None) -> None:
        self.gpu = gpu
        self.occupied = ""
        self._path = (folder or Path(tempfile.gettempdir())) / f"gradus-{gpu.id}.lock"
        self._lock: int | None = None
        self._idle_mb = 0

    def hold(self) -> None:
        """Lock the GPU until `close` is called or this process ends. Does nothing if this object already holds the lock.

        Raises Unavailable if another node holds the lock, or another program uses the GPU.
        """
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
        """Wait up to FREED_S seconds until the memory of earlier jobs is freed. If it is not, set `occupied` and raise
        Unavailable.
        """
        until = time.monotonic() + FREED_S
        while not self.look_again():
            if time.monotonic() > until:
                raise Unavailable(self.occupied)
            time.sleep(LOOK_EVERY_S)

    def look_again(self) -> bool:
        """Check whether any program or any leftover memory is on the GPU, and set `occupied` accordingly. Returns whether the
        GPU is free.
        """
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
        """Release the GPU. The lock file is not removed: another node that has just opened the file would then lock a deleted
        file.
        """
        if self._lock is not None:
            with suppress(OSError):
                os.close(self._lock)
            self._lock = None


class OnGpu:
    """An engine whose hosts see exactly one GPU. A job may use all of the GPU's memory."""

    def __init__(self, engine: Engine, gpu: Gpu) -> None:
        self._engine, self._gpu = engine, gpu

    def connect(self) -> None:
        """Call `connect` of the wrapped engine."""
        self._engine.connect()

    def remove_leftovers(self) -> None:
        """Call `remove_leftovers` of the wrapped engine."""
        self._engine.remove_leftovers()

    def start(self, shape: Shape) -> Host:
        """Start a warm host that sees only this GPU. Raises Unavailable."""
        memory_mb = shape.memory_mb + CUDA_HOST_MB
        return self._engine.start(replace(shape, gpu=self._gpu.id, spare_mb=CUDA_HOST_MB, memory_mb=memory_mb))
