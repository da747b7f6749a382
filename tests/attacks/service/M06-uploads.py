# id: M6
# tries: sends bodies that are too large (the length stated, wrong or missing), slow bodies, slow headers, and huge headers
# expect: 413 or another 4xx before the body is read; memory use hardly grows; other clients are still served
"""Sends huge and slow uploads."""

import contextlib
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path

from tests.attacks.service.target import SLUG, Target

HEAD = "POST /api/submissions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
SLOW = 100
MOST_MORE_MB = 80


def attack(target: Target) -> None:
    one = target.candidate()
    before = _memory_mb(target)
    big = json.dumps({"slug": SLUG, "kind": "submit", "source": "x" * (3 << 20)})
    assert one.http.post("/api/submissions", content=big).status_code == 413
    assert one.http.post("/api/submissions", content=_endless()).status_code == 413
    fits = {"slug": SLUG, "kind": "submit", "source": "x" * (257 << 10)}
    assert one.http.post("/api/submissions", json=fits).status_code == 413
    for announced in ("999999999999", "-5", "1e9", "0x10", "5, 6"):
        status = _raw(target, f"{HEAD}Content-Length: {announced}\r\n\r\n{{}}")
        assert status == 413 or 400 <= status < 500, (announced, status)
    assert 400 <= _raw(target, f"{HEAD}X-Big: {'x' * (1 << 20)}\r\n\r\n") < 500
    nested = "[" * 200_000
    assert 400 <= one.http.post("/api/submissions", content=nested.encode()).status_code < 500
    with contextlib.ExitStack() as stack:
        drips = [stack.enter_context(_dial(target)) for _ in range(SLOW)]
        for number, drip in enumerate(drips):
            drip.sendall((f"{HEAD}Content-Length: 1000\r\n\r\n" if number % 2 else HEAD).encode())
        for _ in range(3):
            for drip in drips:
                with contextlib.suppress(ConnectionError):
                    drip.sendall(b"a")
            assert target.honest_is_accepted() < 8.0
    assert _memory_mb(target) < before + MOST_MORE_MB


def _endless() -> Iterator[bytes]:
    """Yield a request body without a declared length. It ends after 200 MiB, so that a service that reads everything fails the
    test instead of making it wait for ever.
    """
    for _ in range(200):
        yield b"x" * (1 << 20)


def _dial(target: Target) -> socket.socket:
    return socket.create_connection(("127.0.0.1", int(target.live.url.rpartition(":")[2])), timeout=10.0)


def _raw(target: Target, request: str) -> int:
    """Send this request over a raw connection. Return the status of the response."""
    with _dial(target) as sock:
        with contextlib.suppress(ConnectionError):
            sock.sendall(request.encode())
        time.sleep(0.05)
        return int(sock.recv(4096).split(b" ")[1])


def _memory_mb(target: Target) -> int:
    status = Path(f"/proc/{target.live.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) >> 10
