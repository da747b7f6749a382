"""Runs `gradus serve` on a free port with its own data folder, for demos and end-to-end tests, and provides a client for it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parent.parent
START_S = 300.0
JUDGE_S = 120.0


@dataclass
class Live:
    """A running service. `log` is the file with its output."""

    process: "subprocess.Popen[bytes]"
    url: str
    log: Path
    data: Path

    def wait_until_ready(self, seconds: float = START_S, path: str = "/api/ready") -> None:
        """Wait until `path` answers with 200. The default path does so when the service can judge. Raise TimeoutError if that
        takes too long, or RuntimeError if the service has ended.
        """
        until = time.monotonic() + seconds
        said = "it does not answer"
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise RuntimeError(f"the service ended: {self.log.read_text()[-2000:]}")
            try:
                answer = httpx.get(f"{self.url}{path}", timeout=5.0)
                if answer.status_code == 200:
                    return
                said = answer.text
            except httpx.TransportError:
                pass
            time.sleep(0.2)
        raise TimeoutError(f"not ready after {seconds:.0f} s: {said}")

    def setup_token(self) -> str:
        """Return the token for creating the first admin, which the service logs."""
        text = self.log.read_text()
        return text.partition('"token": "')[2].partition('"')[0]

    def node_pid(self) -> int:
        """Return the process id of the local node."""
        return next(pid for pid in _children(self.process.pid) if b"grader" in _command_line(pid))

    def stop(self) -> None:
        """Stop the service as with Ctrl+C, and wait until it has ended. Kill it after a minute."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(60.0)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _command_line(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def free_port() -> int:
    """Find a free port on loopback."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def launch(
    data: Path,
    *,
    challenges: Path = ROOT / "challenges",
    port: int | None = None,
    environment: dict[str, str] | None = None,
    **settings: str,
) -> Live:
    """Start the service, without waiting until it is ready. `environment` holds further environment variables."""
    data.mkdir(parents=True, exist_ok=True)
    port = port or free_port()
    own = {"serve_unproven": "true"} if challenges != ROOT / "challenges" else {}
    given = {"data_dir": str(data), "challenges_dir": str(challenges), "port": str(port), **own, **settings}
    variables = {f"GRADUS_{name.upper()}": value for name, value in given.items()}
    log = data / "service.log"
    with log.open("ab") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "frontend.cli.main", "serve"],
            cwd=ROOT,
            env={**os.environ, **(environment or {}), **variables},
            stdout=out,
            stderr=out,
        )
    return Live(process, f"http://127.0.0.1:{port}", log, data)


@contextmanager
def service(data: Path, **settings: Any) -> Iterator[Live]:
    """Run a service during the `with` block. The block starts once the service can judge."""
    with _running(launch(data, **settings), "/api/ready") as live:
        yield live


@contextmanager
def service_without_node(data: Path, **settings: Any) -> Iterator[Live]:
    """Run a service without a node, which therefore judges nothing, during the `with` block."""
    with _running(launch(data, local_node="false", **settings), "/api/health") as live:
        yield live


@contextmanager
def _running(live: Live, path: str) -> Iterator[Live]:
    try:
        live.wait_until_ready(path=path)
        yield live
    finally:
        live.stop()


class Candidate:
    """A new account on a live service. Uses the HTTP API with a token, as a user's script would."""

    def __init__(self, url: str, name: str = "Demo", transport: httpx.BaseTransport | None = None) -> None:
        self.http = httpx.Client(base_url=url, timeout=30.0, transport=transport)
        try:
            self._sign_up(name)
        except BaseException:
            self.http.close()
            raise

    def _sign_up(self, name: str) -> None:
        account = {"email": f"{uuid.uuid4().hex[:12]}@example.org", "name": name, "password": uuid.uuid4().hex}
        self.credentials = {part: account[part] for part in ("email", "password")}
        self._ok(self.http.post("/api/accounts", json=account))
        if "session" not in "".join(self.http.cookies):
            self._ok(self.http.post("/api/session", json=self.credentials))
        token = self._ok(self.http.post("/api/me/tokens", json={"name": "demo"}))["token"]
        self.http.cookies.clear()
        self.http.headers["Authorization"] = f"Bearer {token}"

    def submit(self, slug: str, source: str, kind: str = "submit") -> str:
        """Send a submission. Return its id."""
        key = {"Idempotency-Key": uuid.uuid4().hex}
        body = {"slug": slug, "source": source, "kind": kind}
        identifier: str = self._ok(self.http.post("/api/submissions", json=body, headers=key))["id"]
        return identifier

    def scratch(self, slug: str, source: str, snippet: str) -> str:
        """Run a snippet as a scratch submission, which tries out code without tests. Return its id."""
        body = {"slug": slug, "source": source, "snippet": snippet}
        identifier: str = self._ok(self.http.post("/api/scratch", json=body))["id"]
        return identifier

    def get(self, identifier: str) -> dict[str, Any]:
        """Read the current state of a submission."""
        return self._ok(self.http.get(f"/api/submissions/{identifier}"))

    def events(self, identifier: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the events of a submission as they arrive, each as (name, data), up to the last one."""
        with self.http.stream("GET", f"/api/submissions/{identifier}/events", timeout=JUDGE_S) as stream:
            name = ""
            for line in stream.iter_lines():
                field, _, value = line.partition(": ")
                if field == "event":
                    name = value
                elif field == "data":
                    yield name, json.loads(value)

    def judged(self, identifier: str, seconds: float = JUDGE_S) -> dict[str, Any]:
        """Wait until a submission is judged or cancelled. Poll, because this also works while the service restarts."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                found = self.get(identifier)
                if found["status"] in ("judged", "cancelled"):
                    return found
            except httpx.TransportError:
                pass
            time.sleep(0.1)
        raise TimeoutError(f"{identifier} is not judged after {seconds:.0f} s")

    def _ok(self, answer: httpx.Response) -> dict[str, Any]:
        if answer.is_error:
            raise RuntimeError(f"{answer.request.method} {answer.request.url.path}: {answer.status_code} {answer.text}")
        body: dict[str, Any] = answer.json()
        return body
