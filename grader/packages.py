"""The packages that a node has at hand, by digest."""

import threading
from contextlib import suppress
from pathlib import Path

from grader.errors import PackageError
from grader.kept import Kept
from grader.package import Package, digest, find, load


class Packages:
    """Packages by digest: from a folder of challenges, read once, or a version that the service has kept."""

    def __init__(self, root: Path, kept: Kept) -> None:
        self._root, self._kept = root, kept
        self._known: dict[str, Package] = {}
        self._lock = threading.Lock()

    def get(self, slug: str, wanted: str) -> Package:
        """The package of a digest. Raises PackageError when that version is nowhere."""
        with self._lock:
            if wanted in self._known:
                return self._known[wanted]
            if version := self._kept.get(wanted):
                return version.package
            self._read(slug, wanted)
            return self._known[wanted]

    def read_all(self) -> list[Package]:
        """Every package that is whole."""
        for folder in find(self._root):
            with suppress(PackageError), self._lock:
                package = load(folder)
                self._known[package.digest] = package
        return list(self._known.values())

    def _read(self, slug: str, wanted: str) -> None:
        for folder in find(self._root):
            if folder.name == slug and digest(folder) == wanted:
                self._known[wanted] = load(folder)
                return
        raise PackageError(f"{slug}: no folder under {self._root} has the digest {wanted[:12]}")
