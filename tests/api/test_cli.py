"""Tests `gradus serve` as a process. It starts, responds, ends on a signal, and reports why it cannot start."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from api.kit.process_lock import only_one
from api.settings import ConfigurationError
from tests.api.challenge_folders import write_challenge
from tests.postgres import drop, empty_database

REPOSITORY = Path(__file__).parents[2]


def serve(home: Path, *arguments: str, **settings: str) -> subprocess.Popen[str]:
    """Start the service in its own process, without a node."""
    variables = {f"GRADUS_{name.upper()}": value for name, value in settings.items()}
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY), "GRADUS_LOCAL_NODE": "false"}
    environment |= {"GRADUS_SERVE_UNPROVEN": "true", **variables}
    command = [sys.executable, "-m", "api.cli", *arguments]
    return subprocess.Popen(
        command, cwd=home, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def refusal(home: Path, *arguments: str, **settings: str) -> str:
    """Return the error output of a service that refuses to start."""
    process = serve(home, *arguments, **settings)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 2, told
    assert "Traceback" not in told
    return told


def free_port() -> int:
    """Return the number of a port that is not in use."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
    return port


def test_service_starts_answers_and_ends_while_somebody_watches(home: Path) -> None:
    write_challenge(home / "challenges")
    port = free_port()
    process = serve(home, "--port", str(port))
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=10, trust_env=False) as client:
            deadline = time.monotonic() + 30
            while time.monotonic() < deadline:
                try:
                    client.get("/api/health")
                    break
                except httpx.TransportError:
                    time.sleep(0.1)
            person = {"email": "ada@example.org", "name": "Ada", "password": "ten characters"}
            assert client.post("/api/accounts", json=person).status_code == 201
            sent = client.post("/api/submissions", json={"slug": "add-one", "kind": "submit", "source": ""}).json()
            with client.stream("GET", f"/api/submissions/{sent['id']}/events") as answer:
                lines = answer.iter_lines()
                assert next(lines) == "retry: 1000"
                assert "another service (pid" in refusal(home, "--port", str(free_port()))
                process.send_signal(signal.SIGINT)
                assert "event: judged" not in list(lines)
        told, log = process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode == 0
    assert "setup token" in told
    assert "Traceback" not in log


def test_taken_port_is_told_before_anything_happens(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        assert f"port {port}; choose another" in refusal(home, "--port", str(port))
    assert not (home / "var" / "gradus.db").exists()


def test_unsafe_or_impossible_settings_are_told(home: Path) -> None:
    assert "refusing to serve on 0.0.0.0" in refusal(home, "--host", "0.0.0.0", node_cells="process")
    assert "GRADUS_NODE_SLOTS: Input should be" in refusal(home, node_slots="0")


def test_a_database_that_cannot_be_used_is_told(home: Path) -> None:
    told = refusal(home, database_url="postgresql+psycopg://gradus:secret-word@127.0.0.1:1/none")
    assert "PostgreSQL cannot be used: connection failed" in told
    assert "is GRADUS_DATABASE_URL right?" in told
    assert "secret-word" not in told
    told = refusal(home, database_url=empty_database(home, "SQL_ASCII"))
    drop(home)
    assert "encoded as SQL_ASCII" in told
    assert "createdb --encoding UTF8" in told


def test_data_folder_is_held_by_one_and_given_back(home: Path) -> None:
    with only_one(home), pytest.raises(ConfigurationError, match=f"pid {os.getpid()}"), only_one(home):
        pass
    with only_one(home):
        pass
