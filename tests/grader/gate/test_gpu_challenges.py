"""Tests challenges for GPUs only: the search for flakes leaves them out, and one that needs Triton says what to install."""

import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from grader.content.package import find, load
from grader.gate.cli import challenge
from tests.api.challenge_folders import write_challenge

ROOT = Path(__file__).resolve().parents[3] / "challenges"


def test_the_search_for_flakes_leaves_them_out_unless_they_are_named(tmp_path: Path) -> None:
    told = write_challenge(tmp_path, "on-gpu") / "challenge.toml"
    told.write_text(told.read_text().replace("minutes = 3", 'minutes = 3\ndevices = ["cuda"]'))
    found = CliRunner().invoke(challenge, ["flakes", "--root", str(tmp_path), "--cells", "process"])
    assert (found.exit_code, found.output.strip()) == (
        0,
        "on-gpu is for GPUs only and is left out; name it to judge it",
    )


def test_a_challenge_in_triton_says_what_to_install() -> None:
    """Without Triton, given.py must end with a message that says what is missing. It is loaded before the answer."""
    packages = [load(folder) for folder in find(ROOT)]
    (package,) = [each for each in packages if "cpu" not in each.info.devices]
    assert package.slug == "triton-softmax-and-matmul"
    hide = """
import builtins
found = builtins.__import__

def without_triton(name, *rest, **more):
    if name.startswith("triton"):
        raise ImportError(name)
    return found(name, *rest, **more)

builtins.__import__ = without_triton
"""
    source = f"import torch\n{hide}\n{package.given}"
    ran = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr.strip().splitlines()[-1] == (
        "ImportError: this challenge needs Triton where answers and tests run: "
        "torch for CUDA brings it, `pip install triton` adds it"
    )
