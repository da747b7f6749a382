"""Finds the package of a job. A package is identified by its digest."""

import threading
from pathlib import Path

from grader.content.package import Package, digest, find, load
from grader.content.package_cache import PackageCache
from grader.contract.errors import PackageError


class Packages:
    """Finds packages in two places. One is the folder of challenges, from which each package is read once. The other is the
    cache of packages that were stored or fetched before, which holds other versions too.

    A package that is in both is that of the cache, because all nodes have this one. The proof of the folder's package can be
    newer, as the digest does not cover it, but the proof decides which tests run in one process (`slots/parts.py`).
    """

    def __init__(self, root: Path, kept: PackageCache) -> None:
        self._root, self._kept = root, kept
        self._known: dict[str, Package] = {}
        self._lock = threading.Lock()

    def get(self, slug: str, wanted: str) -> Package:
        """Return the package with the digest `wanted`. Raises PackageError if that version is not found."""
        with self._lock:
            if wanted in self._known:
                return self._known[wanted]
            if version := self._kept.get(wanted):
                return version.package
            self._read(slug, wanted)
            return self._known[wanted]

    def _read(self, slug: str, wanted: str) -> None:
        for folder in find(self._root):
            if folder.name == slug and digest(folder) == wanted:
                self._known[wanted] = load(folder)
                return
        raise PackageError(f"{slug}: no folder under {self._root} has the digest {wanted[:12]}")
