"""Checks which package a node judges with if the folder of challenges and the cache differ."""

import shutil
from pathlib import Path

import msgspec

from grader.content import proof
from grader.content.package import Package, load
from grader.content.package_cache import PackageCache
from grader.node.packages import Packages

SLUG = "stable-softmax"
CHALLENGE = Path(__file__).parents[3] / "challenges" / "layers" / SLUG


def times(package: Package) -> tuple[int, ...]:
    assert package.proof is not None
    return package.proof.milliseconds


def test_all_nodes_use_the_proof_that_was_stored_first(tmp_path: Path) -> None:
    """The gate has measured the tests again since the service stored the package, and its digest is the same."""
    folder = tmp_path / "challenges" / "layers" / SLUG
    shutil.copytree(CHALLENGE, folder)
    stored = load(folder)
    cache = PackageCache(tmp_path / "kept")
    cache.keep(stored)
    assert stored.proof is not None
    again = tuple(time_ms + 1 for time_ms in times(stored))
    proof.save(folder, msgspec.structs.replace(stored.proof, milliseconds=again))
    assert (load(folder).digest, times(load(folder))) == (stored.digest, again)

    cached_only, both = Packages(tmp_path / "none", cache), Packages(tmp_path / "challenges", cache)
    for node in (cached_only, both):
        assert times(node.get(SLUG, stored.digest)) == times(stored)
    folder_only = Packages(tmp_path / "challenges", PackageCache(tmp_path / "empty"))
    assert times(folder_only.get(SLUG, stored.digest)) == again
