# id: M10
# tries: adds packages whose tests loop, fill memory or fork daemons while loading, and one whose tests probe the sandbox
# expect: only answers to these packages get judge errors; others are judged; no process stays; the gate refuses the packages
"""Adds challenge packages whose authors cannot be trusted."""

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.attacks.service.evil import package
from tests.attacks.service.target import HONEST, Target, a_target
from tests.live import ROOT

# After this many seconds, the gate counts as stuck. A busy machine needs some 200.
LAST_S = 900.0


def attack(target: Target) -> None:
    with tempfile.TemporaryDirectory(prefix="gradus-evil-") as folder:
        challenges = Path(folder)
        for slug in ("evil-floods", "evil-forks", "evil-looks", "evil-loops"):
            package(challenges, slug)
        with a_target(target.image, challenges) as own:
            since = own.log_end()
            _served(own)
            own.check(since)
        _refused(challenges)


def _served(target: Target) -> None:
    one = target.candidate()
    looping = one.submit("evil-loops", HONEST)
    target.until(lambda: one.get(looping)["status"] == "judging", "it is being loaded")
    took = target.honest_is_accepted(LAST_S)
    found = one.get(looping)
    assert found["status"] == "judging", f"an honest answer waited {took:.0f} s for a package that loads for ever"
    one.http.post(f"/api/submissions/{looping}/cancel")
    for slug in ("evil-looks", "evil-forks", "evil-floods"):
        identifier = one.submit(slug, HONEST)
        found = one.judged(identifier, LAST_S)
        assert found["verdict"] == ("AC" if slug == "evil-looks" else "JE"), (slug, found)
        if found["verdict"] == "JE":
            target.excused.add(identifier)
        target.honest_is_accepted(LAST_S)
    target.until(lambda: _daemons() == [], "nothing that the packages started is left")


def _daemons() -> list[str]:
    """Return the processes on this host that a hostile package has left behind."""
    found = []
    for comm in Path("/proc").glob("[0-9]*/comm"):
        try:
            found.append(comm.parent.name) if comm.read_text().startswith("evil-daemon") else None
        except OSError:
            continue
    return found


def _refused(challenges: Path) -> None:
    """Check that `challenge check`, an author's command, reports the fault of each package and continues with the next one."""
    slugs = ["evil-floods", "evil-forks"]
    command = [
        sys.executable,
        "-m",
        "frontend.cli.main",
        "challenge",
        "check",
        *slugs,
        "--quick",
        "--root",
        str(challenges),
    ]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=LAST_S)
    assert told.returncode == 1, told.stdout
    for words in ("evil-floods", "evil-forks", "MemoryError", "could not be"):
        assert words in told.stdout, told.stdout + told.stderr
    assert "proven" not in told.stdout
    assert _daemons() == []
