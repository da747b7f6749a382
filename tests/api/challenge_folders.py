"""Creates small challenge folders for tests."""

import json
from pathlib import Path

from grader.content.package import TestSpec
from grader.content.package import digest as package_digest
from grader.content.variants.declared import combinations, declaration, declaration_digest
from grader.content.variants.expansion import Computed, load_variant
from grader.content.variants.lock import ProvenVariant, VariantsLock, save_lock

TESTS = '''"""Hidden tests of add-one."""
import pytest
from grader.testing import points, sample


@sample
def test_zero(solution):
    """Zero becomes one."""
    assert solution.add_one(0) == 1


@points(2)
def test_secret_number(solution):
    """A large number works too."""
    assert solution.add_one(987654321) == 987654322


@sample
def test_marked_but_not_locked(solution):
    """A slip: marked, but the lock says it is hidden."""
    assert solution.add_one(13) == 14
'''
LOCK = {
    "tests": [
        {"id": "test_zero", "title": "Zero becomes one.", "points": 1, "sample": True},
        {"id": "test_secret_number", "title": "A large number works too.", "points": 2},
        {"id": "test_marked_but_not_locked", "title": "A slip.", "points": 1},
    ]
}
TOML = """title = "{title}"
summary = "Add one to a number"
section = "{section}"
difficulty = "{difficulty}"
topics = ["{topic}"]
minutes = {minutes}
why = "It is the smallest challenge"
skill = "Adding"
hints = ["Use the plus sign", "It takes two operands"]
[[entry]]
name = "add_one"
kind = "function"
signature = "add_one(x)"
[limits]
cpu_s = {cpu_s}
"""
DEFAULTS = {"minutes": "3", "title": "Add one", "difficulty": "easy", "topic": "numbers", "cpu_s": "2.0"}
WRONG = """[[wrong]]
name = "off-by-two"
verdict = "wa"
caught_by = "test_secret_number"
mistake = "Adds two to a large number."
[[wrong.changes]]
find = "x + 1"
replace = "x + 1 + (x > 1000)"
"""
REFERENCE = "def add_one(x):\n    return x + 1  # SECRET-REFERENCE\n"


def write_challenge(root: Path, slug: str = "add-one", section: str = "basics", **values: str) -> Path:
    """Create a valid challenge folder. Its tests are one sample test and two hidden tests, which give four points in total.
    `values` replace entries of DEFAULTS.
    """
    folder = root / section / slug
    accepted = folder / "submissions" / "accepted"
    accepted.mkdir(parents=True)
    (folder / "challenge.toml").write_text(TOML.format(**{**DEFAULTS, **values}, section=section))
    (folder / "statement.md").write_text(f"Write `add_one` ({slug}). Beware of the zebra.\n")
    (folder / "starter.py").write_text("def add_one(x):\n    ...\n")
    (folder / "tests.py").write_text(TESTS)
    (folder / "tests.lock").write_text(json.dumps(LOCK))
    (folder / "editorial.md").write_text("SECRET-EDITORIAL\n")
    (folder / "wrong.toml").write_text(WRONG)
    (accepted / "a.py").write_text(REFERENCE)
    (accepted / "b.py").write_text("add_one = lambda x: 1 + x\n")
    return folder


def write_for_both(root: Path, slug: str = "on-both") -> None:
    """Create a challenge that is judged on CPUs and on GPUs."""
    told = write_challenge(root, slug) / "challenge.toml"
    told.write_text(told.read_text().replace("minutes = 3", 'minutes = 3\ndevices = ["cpu", "cuda"]'))


STEPS = ("one", "two", "three", "four")


def write_variants(folder: Path, says: str = "adds {}") -> None:
    """Declare four variants of a challenge that `write_challenge` has created, which add one, two, three or four. The lock says
    that the authoring gate has proven them. `says` is the summary of a variant.
    """
    path = declaration(folder)
    path.parent.mkdir(exist_ok=True)
    lines = ["[[parameter]]", 'name = "step"', 'about = "How much is added"']
    for number, step in enumerate(STEPS, 1):
        lines += ["[[parameter.value]]", f'name = "{step}"', f'summary = "{says.format(step)}"']
        changes = [] if number == 1 else [("a", "x + 1 ", f"x + {number} "), ("b", "1 + x", f"{number} + x")]
        files = [(f"submissions/accepted/{name}.py", find, replace) for name, find, replace in changes]
        files += (
            [("statement.md", "Write", f"Add {step}: write"), ("starter.py", "...", f"...  # {step}")] if files else []
        )
        for file, find, replace in files:
            lines += ["[[parameter.value.changes]]", f'file = "{file}"', f'find = "{find}"', f'replace = "{replace}"']
    path.write_text("\n".join(lines) + "\n")
    computed = Computed(tuple(TestSpec(**test) for test in LOCK["tests"]), ())  # type: ignore[arg-type]
    found = [(one.name, load_variant(folder, one, computed).digest) for one in combinations(folder)]
    proofs = tuple(ProvenVariant(name, digest, computed, accepted=2, wrong=6, rejects={}) for name, digest in found)
    save_lock(folder, VariantsLock(package_digest(folder), declaration_digest(folder), "", proofs))
