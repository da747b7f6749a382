# id: M8
# tries: opens socket and database from other accounts; from the same account, sends garbage, takes a node's name, omits tests
# expect: other accounts cannot connect or read; garbage ends the connection; the real node continues; without tests, no verdict
"""Connects from processes that pretend to be our node, and from accounts that may not connect at all."""

import contextlib
import os
import socket
import stat
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from grader.contract import transport
from grader.contract.job import Judgement, Verdict
from tests.attacks.service.node import Impostor
from tests.attacks.service.target import HONEST, SLUG, WRONG, Target

NOBODY = 65534


def attack(target: Target) -> None:
    _another_account(target)
    _garbage(target)
    _a_double(target)
    _without_evidence(target)


def _another_account(target: Target) -> None:
    """Check that other accounts of the machine cannot use the socket or the database. Check the file modes. If the tests run
    as root, also try to connect and to read the files as another uid.
    """
    assert stat.S_IMODE(target.socket.stat().st_mode) == 0o600
    assert stat.S_IMODE(target.socket.parent.stat().st_mode) == 0o700
    for suffix in ("", "-wal", "-shm"):
        path = target.database.with_name(target.database.name + suffix)
        # The files ending in -wal and -shm exist only while somebody writes to the database.
        assert not path.exists() or stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
    if os.getuid() == 0:
        lock = target.live.data / "run" / "service.lock"
        with _as_nobody():
            for path in (target.database, lock):
                with pytest.raises(PermissionError):
                    path.read_bytes()
            with socket.socket(socket.AF_UNIX) as stranger, pytest.raises(PermissionError):
                stranger.connect(str(target.socket))
    ports = _listening(target.live.process.pid) | _listening(target.live.node_pid())
    assert ports == {int(target.live.url.rpartition(":")[2])}, "the service listens where nodes or others could dial in"


@contextlib.contextmanager
def _as_nobody() -> Iterator[None]:
    """Give this process the rights of another account (nobody) during the `with` block."""
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


def _listening(pid: int) -> set[int]:
    """Return the TCP ports on which a process listens."""
    links = {os.readlink(path) for path in Path(f"/proc/{pid}/fd").iterdir() if path.is_symlink()}
    found = set()
    for table in ("tcp", "tcp6"):
        with open(f"/proc/{pid}/net/{table}", encoding="ascii") as lines:
            rows = [line.split() for line in lines][1:]
        found |= {
            int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in links
        }
    return found


def _garbage(target: Target) -> None:
    hello = transport.pack(transport.Ready(short=9, any=9))[4:]
    bodies = (b"GET / HTTP/1.1\r\n\r\n", b"", b"{}", hello, b"[" * 100_000)
    for body, length in (*((body, None) for body in bodies), (b"x", 2**32 - 1)):
        with Impostor(target.socket) as other:
            other.say_bytes(body, length)
            assert other.is_shut_out(), body[:20]
    with Impostor(target.socket) as silent:
        silent.socket.shutdown(socket.SHUT_WR)
        assert silent.is_shut_out()
    for odd in (b'{"type": "judged"}', b'{"type": "drain"}', b"\xff" * 100):
        with Impostor(target.socket, "odd") as other:
            other.say_bytes(odd)
            assert other.is_shut_out(), odd


def _a_double(target: Target) -> None:
    """Check that the real node still judges, both while another process of the same account uses its name and afterwards."""
    (node,) = target.admin.http.get("/api/admin/nodes").json()["items"]
    one = target.candidate()
    with Impostor(target.socket, node["name"], slots=8) as double:
        double.say(transport.Ready(short=8, any=8))
        time.sleep(0.3)
        assert target.judged(one, f"{HONEST}# beside a double")["attempt"] == 1
        (still,) = target.admin.http.get("/api/admin/nodes").json()["items"]
        assert (still["slots"], still["connected_at"]) == (node["slots"], node["connected_at"])
    assert target.judged(one, f"{HONEST}# after it")["attempt"] == 1


def _without_evidence(target: Target) -> None:
    """Check that a judgement without the results of the tests is refused. Another process of the same account sends it: such a
    process may connect as a node and get jobs.
    """
    one = target.candidate()
    busy = [one.submit(SLUG, f"import time\ntime.sleep(1.5)\n{HONEST}# {number}") for number in range(2)]
    target.until(lambda: all(one.get(each)["status"] == "judging" for each in busy), "both slots are taken")
    with Impostor(target.socket, "zz-impostor", slots=1) as other:
        other.say(transport.Ready(short=0, any=1))
        wrong = one.submit(SLUG, f"{WRONG}# judged by an impostor")
        offer = other.hear()
        assert isinstance(offer, transport.Offer)
        assert "seeds" not in str(offer), "a job holds nothing of the hidden tests"
        other.say(transport.Accepted(offer.job.id, offer.job.token))
        other.say(transport.Judged(_bare(offer)))
        target.until(
            lambda: target.rows("SELECT infra_faults FROM judging WHERE submission_id = ?", wrong)[0][0], "a fault"
        )
    assert one.judged(wrong)["verdict"] == "WA"


def _bare(offer: transport.Offer) -> Judgement:
    """Return a judgement that accepts the answer but contains no tests."""
    job = offer.job
    return msgspec.convert(
        {
            "job_id": job.id, "token": job.token, "verdict": Verdict.AC, "score": 10, "max_score": 10, "tests": (), "seed": 1,
            "digest": job.digest, "cpu_s": 0.1, "wall_s": 0.1, "memory_mb": 1.0,
        },
        Judgement,
    )  # fmt: skip
