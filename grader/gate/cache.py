"""Results of the gate by the digest of all that they depend on: in the folder's gate.lock, or under var/gate/cache/<digest>.json.

A folder with every file in it (wrong answers and gate.toml too), the kit, the gate itself, and torch. Only what was found
without fault is kept: what has findings is looked at again each time. gate.lock travels with the repository, so that a fresh
clone looks at nothing twice; the folder under var remembers what was tried in between.
"""

import hashlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec
from msgspec.structs import replace

from grader import proof
from grader.errors import PackageError
from grader.gate.record import Record
from grader.package import is_left_out
from grader.proof import Proof

FOLDER = Path("var/gate/cache")
KIT = ("testing", "inside", "wire.py", "screen.py", "judging.py", "decide.py", "package.py")
# What only shows results, or makes new folders: no result depends on it.
SHOWING = (
    "authoring.py",
    "cache.py",
    "cli.py",
    "crew.py",
    "flakes.py",
    "page.py",
    "preview",
    "report.py",
    "scaffold.py",
    "templates",
)
KEEP = 1000


class Cache:
    """Records by what they were found from. `mode` tells results of different thoroughness apart."""

    def __init__(self, folder: Path = FOLDER, *, mode: str = "whole", read: bool = True) -> None:
        self._folder, self._read, self._mode = folder, read, mode
        self._common = f"{mode}\0{torch_version()}\0{kit_digest()}"

    def known(self, folder: Path, kind: str, package: Callable[[Path], str]) -> Record | None:
        """What was found when the folder was exactly like this, with its gate.lock brought to it."""
        if not self._read:
            return None
        key = self.key(folder, kind)
        record = _proven(folder, key) or self._kept(key)
        if record is not None:
            self._write(folder, key, package(folder), record)
        return record

    def key(self, folder: Path, kind: str) -> str:
        """The digest of all that a result depends on."""
        return hashlib.sha256(f"{self._common}\0{kind}\0{digest([folder])}".encode()).hexdigest()

    def put(self, key: str, record: Record) -> None:
        """Keep a record without findings. `key` was taken before the work began: who edits meanwhile is looked at again."""
        if record.findings:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._path(key)
        path.with_suffix(".new").write_bytes(msgspec.json.encode(record))
        path.with_suffix(".new").rename(path)
        for old in sorted(self._folder.glob("*.json"), key=_age, reverse=True)[KEEP:]:
            old.unlink(missing_ok=True)

    def prove(self, folder: Path, kind: str, key: str, package: str, record: Record) -> None:
        """Write what was found without fault into the folder's gate.lock, unless the folder has changed meanwhile."""
        if self.key(folder, kind) == key:
            self._write(folder, key, package, record)

    def _write(self, folder: Path, key: str, package: str, record: Record) -> None:
        if record.findings or self._mode != "whole":
            return
        found = Proof(
            package=package,
            key=key,
            tests=record.tests,
            accepted=record.accepted,
            wrong=record.wrong,
            saboteurs=record.rejected,
            mutants=record.made,
            killed=record.killed,
            record=msgspec.Raw(msgspec.json.encode(replace(record, cached=False))),
        )
        proof.save(folder, found)

    def _kept(self, key: str) -> Record | None:
        with suppress(FileNotFoundError, msgspec.MsgspecError):
            return replace(msgspec.json.decode(self._path(key).read_bytes(), type=Record), cached=True)
        return None

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.json"


def _proven(folder: Path, key: str) -> Record | None:
    with suppress(PackageError, msgspec.MsgspecError):
        found = proof.load(folder)
        if found is not None and found.key == key:
            return replace(msgspec.json.decode(found.record, type=Record), cached=True)
    return None


def _age(path: Path) -> float:
    return path.stat().st_mtime if path.exists() else 0.0


def digest(roots: Iterable[Path]) -> str:
    """sha256 over names and contents of all files below, compiled ones left out."""
    total = hashlib.sha256()
    for root in roots:
        for path in sorted([root] if root.is_file() else root.rglob("*")):
            parts = path.relative_to(root.parent).parts
            if path.is_file() and not path.name.startswith(proof.NAME) and not is_left_out(parts):
                content = path.read_bytes()
                total.update(f"{'/'.join(parts)}\0{len(content)}\0".encode())
                total.update(content)
    return total.hexdigest()


def kit_digest() -> str:
    """The digest of our own code that a result depends on."""
    grader = Path(__file__).resolve().parent.parent
    deciding = (path for path in sorted((grader / "gate").iterdir()) if path.name not in SHOWING)
    return digest([*(grader / part for part in KIT), *deciding])


def torch_version() -> str:
    """The installed torch, without importing it."""
    try:
        return version("torch")
    except PackageNotFoundError:
        return "none"
