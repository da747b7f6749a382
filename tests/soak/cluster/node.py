"""Runs a node of the cluster as a separate process with its own network: `gradus node`, or tests/instant_node.py."""

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
# This command runs a node that judges in process cells on this machine.
REAL = ("frontend.cli.main", "node", "--slots", "1", "--cells", "process")
INSTANT = ("tests.instant_node", "--slots", "1")


class FarNode:
    """One node. Its name and token stay the same when it is restarted. `folder` contains everything that it writes."""

    def __init__(self, folder: Path, wire: Wire, port: int, program: Sequence[str]) -> None:
        self.name, self.wire, self.token = folder.name, wire, ""
        self._folder, self._url, self._program = folder, f"nats://{wire.server}:{port}", program
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the node, which then joins the service."""
        cells = self._folder / "cells"
        cells.mkdir(parents=True, exist_ok=True)
        # The cells of this node run answers under other uids, which must be able to enter the cells' own folders.
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
        """The file with the node's output."""
        return self._folder / f"{self.name}.log"

    @property
    def pid(self) -> int | None:
        """The id of the node's process, or None if the process is not running."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def kill(self) -> None:
        """Kill the node, and wait until it has ended."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        """Let the node finish its jobs. Kill it if it has not ended after STOP_S seconds."""
        if self._process is None:
            return
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_S)
        self.kill()
