"""Provides a small challenge package for the tests of the gate."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from grader.content.package import Entry, Lock, Package, TestSpec, load

TOML = """
title = "Doubling"
summary = "Twice as much."
section = "kit"
difficulty = "easy"
topics = ["kit"]
minutes = 1
why = "A test of the gate."
skill = "None."
hints = ["none"]

[limits]
cpu_s_per_call = 2.0
cpu_s = 4.0

[[entry]]
name = "double"
kind = "function"
signature = "double(x, shift=0.0)"
"""
REFERENCE = '''"""Twice x."""

import torch


def double(x, shift=0.0):
    if x.dim() == 0:
        raise ValueError("needs a dimension")
    y = x + x
    return y + shift
'''
STATEMENT = (
    "# Doubling\n\n`double(x)` takes a float32 or float64 tensor `(n, m)` and returns a tensor of the same shape.\n"
)
Make = Callable[..., Package]


def write_folder(folder: Path, tests: str, *, reference: str = REFERENCE, toml: str = TOML) -> Path:
    """Write a challenge folder with one accepted answer."""
    (folder / "submissions" / "accepted").mkdir(parents=True, exist_ok=True)
    (folder / "challenge.toml").write_text(toml)
    (folder / "tests.py").write_text(tests)
    (folder / "statement.md").write_text(STATEMENT)
    (folder / "starter.py").write_text("def double(x, shift=0.0):\n    ...\n")
    (folder / "editorial.md").write_text("# Doubling\n")
    (folder / "submissions" / "accepted" / "a-reference.py").write_text(reference)
    return folder


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """A function that makes a package. `source` is the text of its tests.py, and `tests` lists the ids of its tests, separated
    by spaces.
    """

    def package(
        source: str = "", *, reference: str = REFERENCE, entry: Entry | None = None, tests: str = ""
    ) -> Package:
        folder = write_folder(tmp_path / "kit" / "doubling", source, reference=reference)
        specs = tuple(TestSpec(name, f"The sentence of {name}.", 1) for name in tests.split())
        made = msgspec.structs.replace(load(folder, locked=False), lock=Lock(specs))
        info = made.info if entry is None else msgspec.structs.replace(made.info, entry=(entry,))
        return msgspec.structs.replace(made, info=info)

    return package
