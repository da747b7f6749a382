"""Stores versions of challenges in files named `<folder>/<digest>.json`.

A stored version does not change if the challenge's folder changes later. The service stores versions, and nodes fetch and keep
them. The files contain hidden tests, so only the service and the nodes may be able to read them.
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

from grader.content.package import Package
from grader.contract.errors import PackageError
from grader.contract.job import Verdict

DIGEST = re.compile("[0-9a-f]{64}")


class Version(msgspec.Struct, frozen=True):
    """A package without its wrong answers, which judging does not need. `team` is the team that owns the challenge; it is empty
    for a challenge of the catalogue. `variant` says what distinguishes a variant from the others; it is empty for the plain
    challenge.
    """

    package: Package
    team: str = ""
    variant: str = ""


class PackageCache:
    """Stores versions in a folder. The methods do blocking file operations. Several processes can use one folder, because every
    write is atomic.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def holds(self, digest: str) -> bool:
        """Return whether a version is stored."""
        return self._path(digest).exists()

    def keep(self, package: Package, team: str = "", variant: str = "") -> None:
        """Store the version that `package` contains. Does nothing if this version is already stored."""
        if self.holds(package.digest):
            return
        answers = tuple(answer for answer in package.answers if answer.verdict is Verdict.AC)
        proof = replace(package.proof, record=msgspec.Raw(b"null")) if package.proof else None
        self._write(
            package.digest, msgspec.json.encode(Version(replace(package, answers=answers, proof=proof), team, variant))
        )

    def bytes_of(self, digest: str) -> bytes | None:
        """Return the content of a version's file, or None if the version is not stored."""
        with suppress(FileNotFoundError):
            return self._path(digest).read_bytes() if DIGEST.fullmatch(digest) else None
        return None

    def keep_fetched(self, digest: str, checksum: str, data: bytes) -> None:
        """Store the content of a version's file that a node fetched from the service. `checksum` is the SHA-256 of `data`.

        Raises `PackageError` if the checksum or the package's digest is wrong, and `OSError` if the file cannot be written.
        """
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
        """Return a version, or None if it is not stored or was written in a format that this release of Gradus cannot read."""
        if not DIGEST.fullmatch(digest):
            return None
        with suppress(FileNotFoundError, msgspec.MsgspecError):
            return msgspec.json.decode(self._path(digest).read_bytes(), type=Version)
        return None

    def sweep(self, needed: Container[str], older_than_s: float) -> int:
        """Remove the versions that are not in `needed` and are older than `older_than_s` seconds. Newer versions stay, because
        they may be needed soon. Returns the number of versions removed.
        """
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
