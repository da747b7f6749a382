"""Reads suites.toml, and computes the digest of the files that a heavy suite depends on."""

import hashlib
import subprocess
import tomllib
from collections.abc import Iterable
from pathlib import Path

import msgspec

from grader.content.code_only import code_only

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PROOFS = "tests/heavy/proofs/"


class Suite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A heavy suite: the arguments for pytest that run it, and the paths of the files on which its result depends."""

    title: str
    pytest: list[str]
    paths: list[str]
    environment: dict[str, str] = {}


class Map(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of suites.toml. No suite depends on the paths in `light`."""

    light: list[str]
    suites: dict[str, Suite]

    def files_of(self, name: str, files: Iterable[str]) -> list[str]:
        """Return those of `files` that a suite depends on. These are the files that its paths cover, and those that no path
        in the map covers.
        """
        own, every = self.suites[name].paths, [*self.light, *(p for s in self.suites.values() for p in s.paths)]
        return [file for file in files if covered(file, own) or not covered(file, every)]

    def digest(self, name: str, files: Iterable[str]) -> str:
        """Return the digest that a proof records. It covers the suite's entry in the map, and the files that the suite depends
        on.
        """
        content = digest(self.files_of(name, files))
        return hashlib.sha256(msgspec.json.encode((self.suites[name], content))).hexdigest()


def covered(file: str, paths: Iterable[str]) -> bool:
    """Return whether one of the paths covers this file. suites.toml says what a path covers."""
    return any(_means(path, file) for path in paths)


def _means(path: str, file: str) -> bool:
    if path.endswith("/*"):
        return file.rpartition("/")[0] == path[:-2]
    return file.startswith(path) if path.endswith("/") else file == path


def load() -> Map:
    """Read suites.toml. Raise msgspec.ValidationError if it contains an unknown key."""
    return msgspec.convert(tomllib.loads((HERE / "suites.toml").read_text(encoding="utf-8")), Map)


def tracked(root: Path = ROOT) -> list[str]:
    """Return all files that git tracks and that exist, except proofs."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True).stdout
    files = sorted(name for name in listed.split("\0") if name and not name.startswith(PROOFS))
    return [name for name in files if (root / name).is_file()]


def digest(files: Iterable[str], root: Path = ROOT) -> str:
    """Return the SHA-256 of the names and contents of files. Comments and docstrings of Python files are left out."""
    total = hashlib.sha256()
    for file in files:
        content = (root / file).read_bytes()
        content = code_only(content) if file.endswith(".py") else content
        total.update(f"{file}\0{len(content)}\0".encode())
        total.update(content)
    return total.hexdigest()
