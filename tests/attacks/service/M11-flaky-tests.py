# id: M11
# tries: adds a package with a test that fails at random, half of the time
# expect: `gradus challenge lock` refuses the package and writes nothing; an honest package beside it gets its lock
"""Adds a package with a test that passes only sometimes."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.attacks.service.evil import package
from tests.attacks.service.target import SLUG, Target
from tests.live import ROOT


def attack(target: Target) -> None:
    with tempfile.TemporaryDirectory(prefix="gradus-flaky-") as folder:
        flaky = package(Path(folder), "evil-flaky") / "tests.lock"
        honest = flaky.parent.parent / SLUG / "tests.lock"
        flaky.unlink()
        honest.unlink()
        command = [sys.executable, "-m", "frontend.cli.main", "challenge", "lock", "--root", folder]
        wide = {**os.environ, "COLUMNS": "200"}  # so that the table does not break a finding into lines
        told = subprocess.run(command, cwd=ROOT, env=wide, capture_output=True, text=True, check=False, timeout=300)
        assert told.returncode == 1, told.stdout
        assert "is not accepted with a third of each tolerance on seed" in told.stdout, told.stdout
        assert not flaky.exists()
        assert json.loads(honest.read_text())["tests"]
