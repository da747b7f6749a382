"""A real nats-server of a test's own, started by deploy/nats.sh: a free port, a data folder, gone when the block ends."""

import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.live import ROOT, free_port

START_S = 30.0
PASSWORD = "a-password-of-a-test"
ENDS_WITH_US = ("setpriv", "--pdeathsig", "TERM")


@dataclass
class NatsServer:
    """One server; `url` is the service's, `open_url` a node's. `address` is where it listens: loopback at least."""

    folder: Path
    port: int = field(default_factory=free_port)
    address: str = "127.0.0.1"
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def open_url(self) -> str:
        """Without what opens it."""
        return f"nats://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """With the service's name and password."""
        return f"nats://gradus:{PASSWORD}@127.0.0.1:{self.port}"

    @property
    def users(self) -> Path:
        """The file that the service writes."""
        return self.folder / "users.conf"

    def start(self) -> None:
        """Start it, with what it has stored before; it answers when this returns."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "nats.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*ENDS_WITH_US, "bash", "deploy/nats.sh", str(self.folder), self.address, str(self.port)],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        until = time.monotonic() + START_S
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1.0):
                return
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError((self.folder / "nats.log").read_text()[-2000:])
            time.sleep(0.05)

    def kill(self) -> None:
        """Kill it as a power cut would: the script and the server."""
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


@contextlib.contextmanager
def nats_server(folder: Path) -> Iterator[NatsServer]:
    """A server that answers."""
    server = NatsServer(folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()
