"""Tests the terminal client against the real stack: a wrong answer is rejected, corrected, and accepted."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.live import ROOT, Candidate, Live
from tests.wrong_answers import wrong_answer

pytestmark = pytest.mark.docker
SLUG = "scaled-dot-product-attention"


def test_a_wrong_answer_is_read_mended_and_accepted(
    live: Live, candidate: Candidate, answers: Path, tmp_path: Path
) -> None:
    token = candidate.http.headers["Authorization"].removeprefix("Bearer ")
    own = {"GRADUS_URL": live.url, "GRADUS_TOKEN": token, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path)}

    def gradus(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "frontend.cli.main", *arguments]
        environment = {**os.environ, **own, "COLUMNS": "90"}
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    pulled = gradus("pull", SLUG)
    assert pulled.returncode == 0, pulled.stderr
    answer = tmp_path / SLUG / "answer.py"
    answer.write_text(wrong_answer(SLUG, "no-scale"))
    wrong = gradus("run", SLUG)
    assert wrong.returncode == 1, wrong.stderr
    # Even without colours, the output says how large the error is, and draws where the values are wrong.
    assert "largest error" in wrong.stdout
    assert "█" in wrong.stdout
    assert "Wrong answer (samples)" in wrong.stdout
    answer.write_text((answers / "accepted" / "a-reference.py").read_text())
    accepted = gradus("submit", SLUG)
    assert accepted.returncode == 0, accepted.stderr
    assert "Accepted" in accepted.stdout
    assert "Accepted" in gradus("history").stdout
