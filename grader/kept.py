"""Versions of challenges, kept by digest: `<folder>/<digest>.json`.

What is judged by a digest stays what it was, whatever happens to the folder that it was read from. The service writes, nodes
read. A file holds secrets, as a challenge's folder does.
"""

import hashlib
import os
import re
import time
from collections.abc import Container
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from grader.errors import PackageError
from grader.job import Verdict
from grader.package import Package

DIGEST = re.compile("[0-9a-f]{64}")


class Version(msgspec.Struct, frozen=True):
    """A package as it is judged, without wrong answers. `team` is whose own it is; empty for the catalogue's."""

    package: Package
    team: str = ""


class Kept:
    """A folder of versions. Blocking; each file is written at once or not at all, whoever else writes it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, package: Package, team: str = "") -> None:
        """Keep a version, unless it is there."""
        if self._path(package.digest).exists():
            return
        answers = tuple(answer for answer in package.answers if answer.verdict is Verdict.AC)
        proof = replace(package.proof, record=msgspec.Raw(b"null")) if package.proof else None
        self._write(package.digest, msgspec.json.encode(Version(replace(package, answers=answers, proof=proof), team)))

    def bytes_of(self, digest: str) -> bytes | None:
        """A version as it is written; None if it is not kept."""
        with suppress(FileNotFoundError):
            return self._path(digest).read_bytes() if DIGEST.fullmatch(digest) else None
        return None

    def fetched(self, digest: str, checksum: str, data: bytes) -> None:
        """Keep what came from elsewhere, if it is what it says. Raises `PackageError`; `OSError` if it cannot be written."""
        if hashlib.sha256(data).hexdigest() != checksum:
            raise PackageError(f"the package {digest[:12]} that came is not what the service has: its SHA-256 differs")
        try:
            found = msgspec.json.decode(data, type=Version).package.digest
        except msgspec.MsgspecError as error:
            raise PackageError(
                f"the package {digest[:12]} cannot be read by this version of Gradus: {error}"
            ) from error
        if found != digest:
            raise PackageError(f"the package {digest[:12]} that came has the digest {found[:12]}")
        self._write(digest, data)

    def get(self, digest: str) -> Version | None:
        """A version; None if it is not kept, or cannot be read by this version of Gradus."""
        if not DIGEST.fullmatch(digest):
            return None
        with suppress(FileNotFoundError, msgspec.MsgspecError):
            return msgspec.json.decode(self._path(digest).read_bytes(), type=Version)
        return None

    def sweep(self, needed: Container[str], older_than_s: float) -> int:
        """Remove what nobody needs and was not kept lately: that may be pinned at this moment. Returns how many went."""
        before = time.time() - older_than_s
        over = [path for path in self._folder.glob("*.json") if path.stem not in needed and _kept_at(path) < before]
        for path in over:
            path.unlink(missing_ok=True)
        return len(over)

    def _write(self, digest: str, data: bytes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self._path(digest)
        new = path.with_suffix(f".{os.getpid()}")
        with new.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.rename(path)

    def _path(self, digest: str) -> Path:
        return self._folder / f"{digest}.json"


def _kept_at(path: Path) -> float:
    return path.stat().st_mtime if path.exists() else 0.0
