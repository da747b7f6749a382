"""Runs the cluster that the faults hit: two processes of the service, three nodes, PostgreSQL and NATS, all real."""

import itertools
import shutil
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psycopg

from tests.live import Candidate, Live, free_port, launch
from tests.nats_server import NatsServer
from tests.postgres_server import PostgresServer
from tests.soak.answers import Answer, challenges_into, mix, slow_answer
from tests.soak.cluster.diary import DIARY
from tests.soak.cluster.node import INSTANT, REAL, FarNode
from tests.soak.cluster.told import add_one_into, told, told_slowly
from tests.soak.cluster.wire import Wire
from tests.soak.stage import READY_S, SETTINGS

APIS, NODES = 2, 3
DATABASE = "gradus"
# Stored data must survive a kill, so settings that make PostgreSQL faster but less safe are not used.
POSTGRES = {"listen_addresses": "", "max_connections": "200", "jit": "off"}
LATE = ("late_judgement_discarded", "late_end_discarded")


class Balanced(httpx.BaseTransport):
    """Sends each request to the next process of the service in turn, even if that process is not running."""

    def __init__(self, ports: list[int]) -> None:
        self._ports, self._inner = itertools.cycle(ports), httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request to the next process."""
        request.url = request.url.copy_with(port=next(self._ports))
        return self._inner.handle_request(request)

    def close(self) -> None:
        self._inner.close()


class Cluster:
    """A cluster. With `instant`, its nodes return verdicts immediately, without cells."""

    def __init__(self, home: Path, servers: Path, *, instant: bool) -> None:
        self.home, self.labels = home, list[str]()
        self._instant = instant
        self.nats = NatsServer(home / "nats", address="0.0.0.0")
        self.postgres = PostgresServer(servers, POSTGRES)
        self.wires = [Wire(number) for number in range(NODES)]
        self.nodes = [
            FarNode(home / f"node-{number}", wire, self.nats.port, INSTANT if instant else REAL)
            for number, wire in enumerate(self.wires)
        ]
        self.ports = [free_port() for _ in range(APIS)]
        self.apis: list[Live] = []
        self.admin = httpx.Client(
            base_url=f"http://127.0.0.1:{self.ports[0]}", timeout=30.0, transport=Balanced(self.ports)
        )
        self._challenges = (add_one_into if instant else challenges_into)(home / "challenges")

    def open(self) -> None:
        """Start everything, and wait until every node can judge."""
        self.postgres.create()
        self.postgres.start()
        with self.postgres.connect("postgres") as server:
            server.execute(f"CREATE DATABASE {DATABASE} TEMPLATE template0")
        self.nats.start()
        self.apis = [self._launch(number) for number in range(APIS)]
        for api in self.apis:
            api.wait_until_ready(READY_S, "/api/health")
        with self.postgres.connect(DATABASE) as database:
            database.execute(DIARY)
        self._create_admin()
        for node in self.nodes:
            made = self.admin.put(f"/api/admin/node-tokens/{node.name}")
            node.token = made.raise_for_status().json()["token"]
            node.start()
        self.wait_until_ready(READY_S)

    def _launch(self, number: int) -> Live:
        return launch(
            self.home / f"api-{number}",
            challenges=self._challenges,
            port=self.ports[number],
            environment={},
            **{
                **SETTINGS,
                "local_node": "false",
                "versions_dir": str(self.home / "versions"),
                "database_url": self.postgres.url(DATABASE),
                "nats_url": self.nats.url,
                "nats_users": str(self.nats.users),
                "requests_per_minute_of_an_address": "1000000",
            },
        )

    def start_api(self, number: int) -> None:
        """Start a process of the service again, without waiting until it is ready."""
        self.apis[number] = self._launch(number)

    def _create_admin(self) -> None:
        account = {"email": "admin@example.org", "name": "Admin", "password": uuid.uuid4().hex}
        token = next(filter(None, (api.setup_token() for api in self.apis)))
        self.admin.post("/api/setup", json={**account, "token": token}).raise_for_status()
        made = self.admin.post("/api/me/tokens", json={"name": "soak"}).raise_for_status().json()["token"]
        self.admin.cookies.clear()
        self.admin.headers["Authorization"] = f"Bearer {made}"

    def answers(self, seed: int) -> Iterator[Answer]:
        """Yield answers of all kinds except hostile programs, because hostile programs may only run in containers."""
        return told(seed) if self._instant else mix(seed, hostile=False)

    def slow_answer(self) -> Answer:
        """Return a right answer that mostly sleeps."""
        return told_slowly() if self._instant else slow_answer()

    def candidate(self) -> Candidate:
        """Create an account whose requests go to the processes of the service in turn."""
        return Candidate(self.apis[0].url, transport=Balanced(self.ports))

    def wait_until_ready(self, seconds: float) -> None:
        """Wait until both processes answer and every node can judge. Raise `TimeoutError` if that takes too long, or
        `RuntimeError` if a process or node has ended.
        """
        until = time.monotonic() + seconds
        for api in self.apis:
            api.wait_until_ready(max(0.0, until - time.monotonic()))
        while missing := self._missing():
            if time.monotonic() > until:
                raise TimeoutError(f"not ready after {seconds:.0f} s: {missing}")
            time.sleep(0.2)

    def _missing(self) -> str:
        for node in self.nodes:
            if node.pid is None:
                raise RuntimeError(f"{node.name} ended: {node.log.read_text()[-2000:]}")
        try:
            seen = [node for port in self.ports for node in self._nodes_at(port)]
        except httpx.HTTPError as error:
            return f"the service does not answer: {error}"
        able = sorted(node["name"] for node in seen if node["reason"] is None)
        return "" if able == [node.name for node in self.nodes] else f"of the nodes only {able} can judge: {seen}"

    def _nodes_at(self, port: int) -> list[dict[str, Any]]:
        url = f"http://127.0.0.1:{port}/api/admin/nodes"
        answer = httpx.get(url, headers={"Authorization": self.admin.headers["Authorization"]}, timeout=5.0)
        items: list[dict[str, Any]] = answer.raise_for_status().json()["items"]
        return items

    @contextmanager
    def database(self) -> Iterator["psycopg.Connection[tuple[Any, ...]]"]:
        """Connect to the service's database during the `with` block."""
        connection = self.postgres.connect(DATABASE)
        try:
            yield connection
        finally:
            connection.close()

    def integrity(self) -> str:
        """Let PostgreSQL check its indexes. Return "ok", or the error."""
        try:
            with self.database() as connection:
                connection.execute("CREATE EXTENSION IF NOT EXISTS amcheck")
                connection.execute(
                    "SELECT bt_index_check(indexrelid, true) FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid "
                    "JOIN pg_am ON pg_am.oid = relam WHERE amname = 'btree' AND relnamespace = 'public'::regnamespace"
                )
        except psycopg.Error as error:
            return str(error)
        return "ok"

    def being_judged(self) -> list[str]:
        """Return the ids of submissions that are being judged now, according to the database."""
        return self._column("SELECT submission_id FROM judging WHERE status = 'judging' AND NOT superseded")

    def unfinished(self) -> list[str]:
        """Return the ids of submissions that are queued or being judged, according to the database."""
        return self._column(
            "SELECT submission_id FROM judging WHERE status IN ('queued', 'judging') AND NOT superseded"
        )

    def judging(self) -> list[FarNode]:
        """Return the nodes that are judging now, according to the database."""
        names = set(self._column("SELECT node FROM judging WHERE status = 'judging'"))
        return [node for node in self.nodes if node.name in names]

    def _column(self, query: str) -> list[str]:
        with suppress(psycopg.Error), self.database() as connection:
            return [str(row[0]) for row in connection.execute(query)]
        return []

    def container_ids(self) -> list[str]:
        """Return an empty list, because the nodes do not use containers."""
        return []

    def processes(self) -> list[tuple[str, int]]:
        """Return the role and the process id of each process of the service and of each node."""
        nodes = [("node", node.pid) for node in self.nodes if node.pid is not None]
        return [*(("api", api.process.pid) for api in self.apis), *nodes]

    def facts(self) -> dict[str, Any]:
        """Return facts for the report: which processes ran, and how often the logs contain events such as late results."""
        logs = [api.log.read_text() for api in self.apis]
        kind = "nodes that answer at once" if self._instant else "nodes with process cells"
        cut = all(wire.is_there for wire in self.wires)
        return {
            "cluster": f"{APIS} processes of the service, {NODES} {kind}, PostgreSQL, NATS",
            "partitions": "network namespaces" if cut else "none: this account may make no network namespace",
            "ends that came late and changed nothing": sum(log.count(word) for log in logs for word in LATE),
            "attempts lost": sum(log.count('"attempt_lost"') for log in logs),
            "nodes joined": sum(log.count('"node_connected"') for log in logs),
        }

    def keep(self, folder: Path) -> None:
        """Copy all logs to a folder."""
        for log in (*self.home.glob("*/*.log"), self.postgres.folder / "log"):
            shutil.copy(log, folder / f"{log.parent.name}-{log.name}")

    def stop(self) -> None:
        """Stop the nodes, then the service, then NATS. PostgreSQL keeps running."""
        self.admin.close()
        for node in self.nodes:
            node.stop()
        for api in self.apis:
            api.stop()
        self.nats.kill()

    def close(self) -> None:
        """Stop everything, and remove the networks."""
        self.stop()
        self.postgres.stop()
        for wire in self.wires:
            wire.close()


@contextmanager
def cluster(*, instant: bool = False) -> Iterator[Cluster]:
    """Run a cluster in temporary folders during the `with` block. The block may call `stop` itself."""
    # The folder is not below var/, because the path of a Unix socket must be short.
    home, servers = Path(tempfile.mkdtemp(prefix="gradus-soak-")), Path(tempfile.mkdtemp(prefix="gradus-soak-pg-"))
    home.chmod(0o711)
    try:
        set_up = Cluster(home, servers, instant=instant)
        try:
            set_up.open()
            yield set_up
        finally:
            set_up.close()
    finally:
        shutil.rmtree(home, ignore_errors=True)
        shutil.rmtree(servers, ignore_errors=True)
