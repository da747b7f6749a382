"""Runs a real nats-server for a test, with deploy/nats.sh, on a free port and with its own data folder."""

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
    """One server. The service connects to `url`, nodes connect to `open_url`. `address` is the host and port on which it
    listens.
    """

    folder: Path
    port: int = field(default_factory=free_port)
    address: str = "127.0.0.1"
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def open_url(self) -> str:
        """The URL without credentials."""
        return f"nats://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """The URL with the service's name and password."""
        return f"nats://gradus:{PASSWORD}@127.0.0.1:{self.port}"

    @property
    def users(self) -> Path:
        """The file in which the service lists who may connect."""
        return self.folder / "users.conf"

    def start(self) -> None:
        """Start the server with the data of earlier runs, and wait until it accepts connections."""
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
        """Kill deploy/nats.sh and the server, without giving them time to clean up."""
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


@contextlib.contextmanager
def nats_server(folder: Path) -> Iterator[NatsServer]:
    """Run a server during the `with` block."""
    server = NatsServer(folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()
