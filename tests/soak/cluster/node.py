"""A node of the cluster: `gradus node`, or one that answers at once, as a process of its own with a wire of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tests.live import ROOT
from tests.soak.cluster.wire import Wire

STOP_S = 60.0
# One with cells: the processes of a host, which is this one.
REAL = ("frontend.cli.main", "node", "--slots", "1", "--cells", "process")
INSTANT = ("tests.instant_node", "--slots", "1")


class FarNode:
    """One node; started again, it is the same one. `folder` holds all that it writes."""

    def __init__(self, folder: Path, wire: Wire, port: int, program: Sequence[str]) -> None:
        self.name, self.wire, self.token = folder.name, wire, ""
        self._folder, self._url, self._program = folder, f"nats://{wire.server}:{port}", program
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; it joins by itself."""
        cells = self._folder / "cells"
        cells.mkdir(parents=True, exist_ok=True)
        # The uids of its cells' children must reach their own folders.
        self._folder.chmod(0o711)
        cells.chmod(0o711)
        given = ["--url", self._url, "--token", self.token, "--data", str(self._folder / "data")]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*self.wire.prefix, sys.executable, "-m", *self._program, *given],
                cwd=ROOT,
                env={**os.environ, "TMPDIR": str(cells)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    @property
    def log(self) -> Path:
        """What it says."""
        return self._folder / f"{self.name}.log"

    @property
    def pid(self) -> int | None:
        """Its process, while it runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def kill(self) -> None:
        """SIGKILL, and wait for its end."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        """Let it drain; kill it when it does not end."""
        if self._process is None:
            return
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_S)
        self.kill()
