"""Runs the service that the faults hit: a fresh database on a small separate disk, and a local node with Docker cells."""

import os
import shutil
import signal
import sqlite3
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import docker
import httpx
import requests

from tests.clock import WallClock
from tests.live import Candidate, Live, free_port, launch
from tests.soak import kernel
from tests.soak.answers import Answer, challenges_into, mix, slow_answer
from tests.soak.ground import Order

LABEL = "gradus.node"
SUBMISSIONS_EACH = 12
LEASE_S, SWEEP_S = 8.0, 1.0
READY_S = 240.0
SETTINGS = {
    "node_slots": "2",
    "lease_s": str(LEASE_S),
    "sweep_s": str(SWEEP_S),
    "unfinished_per_account": "100",
    "requests_per_minute": "1000000",
    "submissions_per_minute": "1000000",
    "submissions_per_challenge_a_day": "1000000",
    "registrations_per_hour": "1000",
    "queue_limit": "100000",
    "fair_spacing_s": "0.1",
}
# SQL for a trigger with which the database records every change of a judging, independently of the service.
DIARY = """
CREATE TABLE IF NOT EXISTS soak_step (
    id INTEGER PRIMARY KEY, judging TEXT, submission TEXT, old_status TEXT, new_status TEXT, owner TEXT,
    applied TEXT, old_verdict TEXT, new_verdict TEXT, attempt INTEGER);
CREATE TRIGGER IF NOT EXISTS soak_steps AFTER UPDATE ON judging
WHEN old.status IS NOT new.status OR old.verdict IS NOT new.verdict OR old.judgement IS NOT new.judgement
BEGIN
    INSERT INTO soak_step (judging, submission, old_status, new_status, owner, applied, old_verdict, new_verdict, attempt)
    VALUES (new.id, new.submission_id, old.status, new.status, old.token,
        CASE WHEN new.judgement IS NOT old.judgement THEN json_extract(new.judgement, '$.token') END,
        old.verdict, new.verdict, new.attempt);
END;
"""


class Stage:
    """A running service. `mounted` says whether its data folder is on a separate disk."""

    def __init__(self, home: Path, data: Path, *, mounted: bool, image: str = "") -> None:
        self.data, self.mounted = data, mounted
        self.home = home
        self._port = free_port()
        self._challenges = challenges_into(home / "challenges")
        self._settings = {**SETTINGS, **({"node_image": image} if image else {})}
        self._clock = WallClock(home / "clock")
        self.shift_s = 0
        self.live = self.start()
        self.admin = httpx.Client(base_url=self.url, timeout=30.0)

    def open(self) -> None:
        """Wait until the service can judge, create the trigger that records changes of judgings, and create the first admin."""
        self.live.wait_until_ready(READY_S)
        self._keep_diary()
        self._create_admin()

    def _create_admin(self) -> None:
        """Create the first admin, who may read and rejudge all submissions, and give `admin` its token."""
        account = {"email": "admin@example.org", "name": "Admin", "password": uuid.uuid4().hex}
        self.admin.post("/api/setup", json={**account, "token": self.live.setup_token()}).raise_for_status()
        token = self.admin.post("/api/me/tokens", json={"name": "soak"}).raise_for_status().json()["token"]
        self.admin.cookies.clear()
        self.admin.headers["Authorization"] = f"Bearer {token}"

    @property
    def labels(self) -> list[str]:
        """A list with the label of the node's containers."""
        return [f"local@{self.data / 'run' / 'node.sock'}"]

    def answers(self, seed: int) -> Iterator[Answer]:
        """Yield answers of all kinds, hostile programs included."""
        return mix(seed)

    def slow_answer(self) -> Answer:
        """Return a right answer that mostly sleeps."""
        return slow_answer()

    def candidate(self) -> Candidate:
        """Create an account."""
        return Candidate(self.url)

    def wait_until_ready(self, seconds: float) -> None:
        """Wait until the service can judge. Raise `TimeoutError` if that takes too long, or `RuntimeError` if the service has
        ended.
        """
        self.live.wait_until_ready(seconds)

    @property
    def url(self) -> str:
        """The URL of the service, which stays the same after a restart."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def has_clock(self) -> bool:
        """Whether the service's clock can be set (libfaketime is installed)."""
        return self._clock.is_there

    def start(self) -> Live:
        """Start the service, without waiting until it is ready."""
        self.live = launch(
            self.data,
            challenges=self._challenges,
            port=self._port,
            environment=self._clock.variables,
            **self._settings,
        )
        return self.live

    def set_clock(self, shift_s: int) -> None:
        """Set the service's wall clock `shift_s` seconds ahead of the true time. The service notices within a second."""
        self.shift_s = shift_s
        self._clock.ahead(shift_s)

    @property
    def api_pid(self) -> int:
        """The process id of the service."""
        return self.live.process.pid

    def node_pid(self) -> int | None:
        """Return the process id of the node, or None if the node is not running."""
        with suppress(StopIteration, OSError):
            return self.live.node_pid()
        return None

    def containers(self) -> list[Any]:
        """Return the node's running containers."""
        with suppress(docker.errors.DockerException, requests.RequestException), closing(docker.from_env()) as engine:
            found: list[Any] = engine.containers.list(
                filters={"label": f"{LABEL}={self.labels[0]}"}, ignore_removed=True
            )
            return found
        return []

    def container_ids(self) -> list[str]:
        """Return the ids of the node's running containers. This needs only one request to the Docker engine."""
        with suppress(docker.errors.DockerException, requests.RequestException), closing(docker.from_env()) as engine:
            return [each["Id"] for each in engine.api.containers(filters={"label": f"{LABEL}={self.labels[0]}"})]
        return []

    def zygotes(self, role: str) -> list[int]:
        """Return the process ids, as the host sees them, of process 1 in each container with this role. The process that has
        used the most CPU time comes first.
        """
        pids = [
            int(container.attrs["State"]["Pid"])
            for container in self.containers()
            if role in container.attrs["Args"] and container.attrs["State"]["Pid"]
        ]
        return sorted(pids, key=lambda pid: -_cpu_ticks(pid))

    @contextmanager
    def database(self) -> Iterator[sqlite3.Connection]:
        """Connect to the service's database during the `with` block."""
        connection = sqlite3.connect(self.data / "gradus.db", timeout=10.0)
        try:
            yield connection
        finally:
            connection.close()

    def integrity(self) -> str:
        """Let SQLite check its file. Return "ok", or a description of the damage."""
        with self.database() as connection:
            return "; ".join(row[0] for row in connection.execute("PRAGMA integrity_check"))

    def being_judged(self) -> list[str]:
        """Return the ids of submissions that are being judged now, according to the database."""
        return self._ids("SELECT submission_id FROM judging WHERE status = 'judging' AND NOT superseded")

    def unfinished(self) -> list[str]:
        """Return the ids of submissions that are queued or being judged, according to the database."""
        return self._ids("SELECT submission_id FROM judging WHERE status IN ('queued', 'judging') AND NOT superseded")

    def _ids(self, query: str) -> list[str]:
        with suppress(sqlite3.OperationalError), self.database() as connection:
            return [row[0] for row in connection.execute(query)]
        return []

    def _keep_diary(self) -> None:
        with self.database() as connection:
            connection.executescript(DIARY)
            connection.commit()

    def processes(self) -> list[tuple[str, int]]:
        """Return the role and the process id of the service and of its node."""
        node = self.node_pid()
        return [("api", self.api_pid), *([("node", node)] if node else [])]

    def facts(self) -> dict[str, Any]:
        """Return a fact for the report: whether the disk is really full during the fault `disk full`, or whether a limit on
        file sizes simulates this.
        """
        real, stood_in = "full for real: a file system of its own", "a limit on file sizes stood for a full disk"
        return {"disk": real if self.mounted else stood_in}

    def keep(self, folder: Path) -> None:
        """Copy the database and the log to a folder."""
        for path in self.data.glob("*.*"):
            shutil.copy(path, folder)

    def stop(self) -> None:
        """Stop the service."""
        self.admin.close()
        self.live.stop()

    def kill_api(self) -> None:
        """Kill the service, and wait until it has ended."""
        os.kill(self.api_pid, signal.SIGKILL)
        self.live.process.wait()


def _cpu_ticks(pid: int) -> int:
    ticks = 0
    for each in (pid, *kernel.children(pid)):
        with suppress(OSError):
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[13]) + int(fields[14])
    return ticks


@contextmanager
def stage(order: Order) -> Iterator[Stage]:
    """Run a service in a temporary folder during the `with` block. The block may call `stop` itself."""
    # The folder is not below var/, because the path of a Unix socket must be short.
    home = Path(tempfile.mkdtemp(prefix="gradus-soak-"))
    data = home / "data"
    data.mkdir()
    try:
        with kernel.own_disk(data, size_mb=96 + order.submissions // 16) as mounted:
            set_up = Stage(home, data, mounted=mounted, image=order.image)
            try:
                set_up.open()
                yield set_up
            finally:
                set_up.stop()
    finally:
        shutil.rmtree(home, ignore_errors=True)


def wait_until(condition: Any, seconds: float) -> bool:
    """Wait up to `seconds` until `condition()` is true. Return whether it became true."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True
