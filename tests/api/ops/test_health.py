"""Tests the routes with which load balancers and process managers ask whether a process is alive and ready."""

import os
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text

from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Service, running, settings_in
from tests.api.test_cli import REPOSITORY, free_port

pytestmark = pytest.mark.anyio


async def test_a_process_that_can_serve_is_ready_without_nodes(service: Service) -> None:
    client = service.client()
    assert (await client.get("/healthz")).json()["status"] == "ok"
    ready = await client.get("/readyz")
    assert (ready.status_code, ready.json()) == (200, {"ready": True, "missing": []})
    assert (await client.get("/api/ready")).status_code == 503, "for people: nothing is judged"


async def test_all_that_is_missing_is_told_and_the_process_lives_on(home: Path) -> None:
    (home / "challenges").mkdir()
    async with running(settings_in(home)) as service:
        client = service.client()
        async with service.state.db.write() as session:
            await session.execute(text("UPDATE alembic_version SET version_num = '0001'"))
        ready = await client.get("/readyz")
        assert ready.status_code == 503
        challenges, tables = ready.json()["missing"]
        assert "No challenge could be read" in challenges
        assert "run: gradus db upgrade" in tables
        async with service.state.db.write() as session:
            await session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        assert len((await client.get("/readyz")).json()["missing"]) == 1, "newer tables are another process's upgrade"
        async with service.state.db.write() as session:
            await session.execute(text("DROP TABLE alembic_version"))
        assert "version none" in str((await client.get("/readyz")).json()["missing"])
        assert (await client.get("/healthz")).status_code == 200


async def test_a_database_that_does_not_answer_and_a_service_that_stops(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silent() -> bool:
        return False

    monkeypatch.setattr(service.state.db, "answers", silent)
    service.state.hub.closing = True
    ready = await service.client().get("/readyz")
    assert ready.status_code == 503
    assert ready.json()["missing"] == ["The service is stopping.", "The database does not answer."]


async def test_a_probe_is_in_the_log_only_when_it_fails(
    service: Service, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A probe must be logged only if it fails. Caddy alone probes every process every two seconds, so all probes together would
    be a fifth of all log lines.
    """
    client = service.client()
    capsys.readouterr()
    for path in ("/healthz", "/readyz", "/api/health"):
        assert (await client.get(path)).status_code == 200
    await client.get("/api/queue")
    lines = capsys.readouterr().out
    assert "/api/queue" in lines
    assert not [path for path in ("/healthz", "/readyz", "/api/health") if path in lines]
    service.state.hub.closing = True
    await client.get("/readyz")
    assert '"status": 503' in capsys.readouterr().out


# This script runs the service on a disk of 96 MiB that only the service can see and that disappears when it ends. A line on
# standard input makes the script fill the disk.
ON_A_SMALL_DISK = """
mount -t tmpfs -o size=96m none "$1"
cp -r "$2" "$1/challenges"
cd "$1"
"${@:3}" </dev/null & service=$!
trap 'kill $service' TERM
if read -r _; then dd if=/dev/zero of="$1/filling" bs=64K status=none 2>/dev/null || touch "$1.filled"; fi
wait $service
"""


def test_a_full_disk_is_told_and_counted(home: Path) -> None:
    """The service must report and count a full disk. The test fills a small tmpfs instead of simulating the error."""
    write_challenge(home / "challenges")
    (home / "small").mkdir()
    site, figures = free_port(), free_port()
    settings = {"PORT": str(site), "METRICS_PORT": str(figures), "LOCAL_NODE": "false", "SERVE_UNPROVEN": "true"}
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY)}
    environment |= {f"GRADUS_{name}": value for name, value in settings.items()}
    become = () if os.geteuid() == 0 else ("--user", "--map-root-user")
    shell = ("unshare", *become, "--mount", "bash", "-ec", ON_A_SMALL_DISK, "-")
    command = [*shell, str(home / "small"), str(home / "challenges"), sys.executable, "-m", "api.cli"]
    process = subprocess.Popen(
        command, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    assert process.stdin is not None
    try:
        with httpx.Client(timeout=10, trust_env=False) as client:
            assert until(client, f"http://127.0.0.1:{site}/readyz", 200).json()["missing"] == []
            before = client.get(f"http://127.0.0.1:{figures}/metrics").text
            assert "gradus_database_full_total 0.0" in before
            process.stdin.write("fill\n")
            process.stdin.flush()
            told = until(client, f"http://127.0.0.1:{site}/readyz", 503).json()["missing"]
            assert len(told) == 1, "one disk is one trouble"
            assert "is full: " in told[0]
            assert "of 96 MiB are left." in told[0]
            give_up = time.monotonic() + 60
            while not (home / "small.filled").exists():
                assert time.monotonic() < give_up, "the disk was not filled"
                time.sleep(0.05)
            # SQLite reuses the disk space of its journal, so the first guests may still be stored.
            guest = f"http://127.0.0.1:{site}/api/guest"
            codes = [httpx.post(guest, json={}, trust_env=False).status_code for _ in range(20)]
            after = client.get(f"http://127.0.0.1:{figures}/metrics").text
            assert 503 in codes, codes
            assert "gradus_database_full_total 0.0" not in after
            left = [line for line in after.splitlines() if line.startswith('gradus_disk_free_bytes{holds="database"}')]
            assert float(left[0].split()[1]) < 2**20
    finally:
        process.terminate()
        process.communicate(timeout=60)


def until(client: httpx.Client, url: str, status: int) -> httpx.Response:
    """Wait until the URL answers with this status. Return the response."""
    last = time.monotonic() + 60
    while True:
        try:
            answer = client.get(url)
        except httpx.TransportError:
            answer = None
        if answer is not None and answer.status_code == status:
            return answer
        assert time.monotonic() < last, answer and answer.text
        time.sleep(0.1)
