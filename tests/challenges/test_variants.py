"""Checks the variants of the catalogue's challenges: each declaration belongs to a challenge, and the gate has proven it."""

from pathlib import Path

import pytest

from grader.content.package import find, load
from grader.content.variants.declared import combinations, declaration
from grader.content.variants.lock import proven_variants
from grader.gate.variants.prove import is_proven

ROOT = Path(__file__).resolve().parents[2] / "challenges"
VARIED = [folder for folder in find(ROOT) if declaration(folder).is_file()]


def test_each_declaration_and_each_lock_belongs_to_a_challenge() -> None:
    names = {folder.name for folder in VARIED}
    assert {path.stem for path in (ROOT / "variants").iterdir()} == names
    assert {path.suffix for path in (ROOT / "variants").iterdir()} == {".toml", ".lock"}
    assert len(names) >= 10


@pytest.mark.parametrize("folder", VARIED, ids=[folder.name for folder in VARIED])
def test_the_gate_has_proven_the_variants_as_they_are_now(folder: Path) -> None:
    assert is_proven(folder), f"run `gradus challenge check {folder.name}` and commit its lock in challenges/variants"
    proven = proven_variants(folder, load(folder))
    assert len(proven) == len(combinations(folder)) >= 4
    for _, proof in proven:
        assert proof.accepted >= 2
        assert len(proof.rejects) == len(proven) - 1
        assert all(tests for tests in proof.rejects.values()), "an answer to another variant fails a named test"
