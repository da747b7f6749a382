"""Runs a real PostgreSQL with data and a Unix socket in one folder. The server stops when the process that started it exits."""

import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import psycopg
from sqlalchemy import URL

START_S = 30


class PostgresServer:
    """One PostgreSQL cluster. `settings` override PostgreSQL's defaults. The superuser is called gradus."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        self.folder, self._settings, self._owner = folder, settings, _owner()
        self._process: subprocess.Popen[bytes] | None = None

    def create(self) -> None:
        """Create the cluster in its folder, which must exist and be empty."""
        if self._owner:
            shutil.chown(self.folder, self._owner, self._owner)
        options = ["-U", "gradus", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"]
        command = [_program("initdb"), "-D", str(self.folder / "data"), *options]
        as_owner = ["setpriv", *_becoming(self._owner), *command]
        subprocess.run(as_owner, check=True, stdout=subprocess.DEVNULL, cwd="/")

    def start(self) -> None:
        """Start the server, and wait until it accepts connections. Raise `RuntimeError` with the log if it does not."""
        told = [f"-c{name}={value}" for name, value in self._settings.items()]
        command = [_program("postgres"), "-D", str(self.folder / "data"), "-k", str(self.folder), *told]
        ends_with_us = ["setpriv", "--pdeathsig", "INT", *_becoming(self._owner), *command]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(ends_with_us, stdout=subprocess.DEVNULL, stderr=log, cwd="/")
        until = time.monotonic() + START_S
        while True:
            try:
                self.connect("postgres").close()
            except psycopg.OperationalError:
                if self._process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError((self.folder / "log").read_text()) from None
                time.sleep(0.05)
            else:
                return

    def stop(self) -> None:
        """Stop the server with a fast shutdown: open transactions are rolled back."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(10)

    def kill(self) -> None:
        """Kill all processes of the server at the same time. Data that was already written to files is kept."""
        assert self._process is not None
        pids = self.pids()
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()
        # The server cannot be started again while one of its old processes still exists.
        while any(Path(f"/proc/{pid}").exists() for pid in pids):
            time.sleep(0.01)

    def pids(self) -> list[int]:
        """Return the process ids of the server, then of its connections and background workers."""
        assert self._process is not None
        pid = self._process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [pid, *map(int, children)]

    def connect(self, name: str) -> "psycopg.Connection[tuple[object, ...]]":
        """Connect to one of the server's databases, in autocommit mode. Raise `psycopg.Error` if that fails."""
        return psycopg.connect(host=str(self.folder), user="gradus", dbname=name, autocommit=True, connect_timeout=5)

    def url(self, name: str) -> str:
        """Return the SQLAlchemy URL of one of the server's databases."""
        url = URL.create("postgresql+psycopg", username="gradus", database=name, query={"host": str(self.folder)})
        return url.render_as_string(hide_password=False)


def _owner() -> str:
    """Return the account to run the server as, because PostgreSQL refuses to run as root. Return an empty name if we are not
    root.
    """
    if os.geteuid() != 0:
        return ""
    return next((name for name in ("postgres", "nobody") if _known(name)), "nobody")


def _known(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def _becoming(who: str) -> list[str]:
    return [f"--reuid={who}", f"--regid={pwd.getpwnam(who).pw_gid}", "--clear-groups"] if who else []


def _program(name: str) -> str:
    """Find a program of PostgreSQL. Debian installs them in one folder per version, which is not in PATH."""
    if found := shutil.which(name):
        return found
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    if not installed:
        raise RuntimeError(f"PostgreSQL's {name} is not installed: bash deploy/packages.sh test")
    return str(installed[-1])
