"""Finds wrong answers of the catalogue's challenges by name, whether they are files or entries of wrong.toml."""

from grader.content.package import Package, load
from tests.live import ROOT


def package_of(slug: str) -> Package:
    """Load a challenge of the catalogue."""
    (folder,) = ROOT.glob(f"challenges/*/{slug}")
    return load(folder)


def wrong_answer(slug: str, name: str) -> str:
    """Return the source of a wrong answer to a challenge."""
    return package_of(slug).answer(name, wrong=True).source
