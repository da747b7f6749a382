"""Makes packages with hostile tests from the honest package. Hostile tests must not be able to do any harm."""

import json
import shutil
from pathlib import Path

from tests.attacks.service.target import SLUG, patient_copy

LOOPS = "while True:\n    pass\n"
FLOODS = "hoard = []\nwhile True:\n    hoard.append(b'x' * (1 << 26))\n"
FORKS = """
import ctypes, os
for _ in range(40):
    if os.fork() == 0:
        os.setsid()
        ctypes.CDLL(None).prctl(15, b"evil-daemon", 0, 0, 0)
        while True:
            pass
os._exit(0)
"""
LOOKS = '''
"""Passes only where it finds itself confined."""
import os
import signal
import socket
from pathlib import Path

import pytest
from grader.testing import sample


def denied(act, *arguments):
    try:
        act(*arguments)
    except OSError:
        return True
    return False


@sample
def test_confined(solution):
    """It can look at nothing and write nowhere."""
    status = Path("/proc/self/status").read_text()
    assert os.getuid() > 1000
    assert "CapEff:\\t0000000000000000" in status
    assert "NoNewPrivs:\\t1" in status
    assert "Seccomp:\\t2" in status
    assert denied(os.setuid, 0)
    for path in ("/evil", "/usr/evil", "/etc/evil", "/run/gradus/evil"):
        assert denied(Path(path).write_text, "x")
    assert denied(lambda: socket.create_connection(("127.0.0.1", 80), timeout=1))
    assert denied(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("8.8.8.8", 53)))
    own = str(os.getuid())
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                uid = (folder / "status").read_text().split("Uid:")[1].split()[0]
            except OSError:
                continue
            if uid != own:
                assert denied((folder / "mem").open, "rb")
                assert denied((folder / "environ").read_bytes)
                assert denied(os.kill, int(folder.name), signal.SIGKILL)
    for folder in Path("/tmp").iterdir():
        assert folder.stat().st_uid == os.getuid() or denied(lambda folder=folder: list(folder.iterdir()))
'''
FLAKY = '''
import os
from grader.testing import sample


@sample
def test_flaky(solution):
    """It depends."""
    assert os.urandom(1)[0] % 2
'''
TESTS = {"evil-floods": FLOODS, "evil-forks": FORKS, "evil-looks": LOOKS, "evil-loops": LOOPS, "evil-flaky": FLAKY}
NAMES = {"evil-looks": "test_confined", "evil-flaky": "test_flaky"}


def package(challenges: Path, slug: str) -> Path:
    """Write one of the hostile packages beside the honest one. Its tests.lock lists a single test."""
    honest = challenges / "hostile" / SLUG
    if not honest.exists():
        patient_copy(challenges)
    folder = challenges / "hostile" / slug
    shutil.copytree(honest, folder)
    (folder / "tests.py").write_text(TESTS[slug], encoding="utf-8")
    test = {"id": NAMES.get(slug, "test_one"), "title": "It is evil.", "points": 1, "sample": True}
    (folder / "tests.lock").write_text(json.dumps({"tests": [test]}), encoding="utf-8")
    return folder
