"""A challenge as its authors send it: files by path, checked before anything is run. Torch-free, and nothing of it is executed.

Allowed are the files of a challenge's folder that are written by hand (see package.py). What the gate writes (tests.lock,
gate.lock) is kept apart from them, and nobody can send it.
"""

import re
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader.errors import PackageError
from grader.gate.hidden import untold
from grader.gate.reasons import reasons
from grader.gate.scaffold import PENCIL, new_challenge, unwritten
from grader.gate.statement import unclear
from grader.job import Limits
from grader.package import SLUG, Info, Package, load

MOST_FILES, MOST_KB, MOST_KB_A_FILE, MOST_KB_OF_TOML = 60, 1024, 256, 64
SECTION = "own"
LOCKS = ("tests.lock", "gate.lock")
# What the gate writes into a folder: outputs below examples, and the locks.
WRITTEN = ("statement.md", "editorial.md", *LOCKS)
_PATH = re.compile(
    r"challenge\.toml|gate\.toml|(statement|editorial)\.md|(starter|tests|given|probes)\.py"
    r"|submissions/(accepted|wa|re|tle|mle|ole|ce|rv)/[a-z0-9][a-z0-9_-]{0,60}\.py"
)
# What a stranger's package may ask of a machine at most.
CEILINGS = Limits(
    cpu_s_per_call=30, cpu_s=60, memory_mb=2048, processes=64, output_kb=256, calls=100_000, frame_mb=64, wire_mb=1024
)
MOST_TEXT = {"title": 120, "summary": 300, "why": 2000, "skill": 2000}
MOST_ITEMS = 20
MOST_MINUTES = 600


@dataclass(frozen=True)
class Complaint:
    """What an author has to mend before the gate can look: where, and what to do."""

    where: str
    text: str


@dataclass(frozen=True)
class Checked:
    """What is wrong with an author's files; `package` is None while they are no challenge yet."""

    complaints: tuple[Complaint, ...]
    package: Package | None


def scaffold(slug: str, kind: str, form: str) -> dict[str, str]:
    """The files of a new challenge. Raises `PackageError` when the name is no slug."""
    with tempfile.TemporaryDirectory(prefix="gradus-new-") as root:
        folder = new_challenge(Path(root), SECTION, slug, kind=kind, form=form)
        return read(folder)


def read(folder: Path) -> dict[str, str]:
    """Every allowed file of a folder, by path."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    named = {path.relative_to(folder).as_posix(): path for path in paths}
    return {name: path.read_text(encoding="utf-8") for name, path in named.items() if _PATH.fullmatch(name)}


def refused(files: dict[str, str]) -> list[Complaint]:
    """Why files may not even be kept: strange paths, too many, too large."""
    found = [
        Complaint(name[:200], "is no file of a challenge's folder: remove it, or see `gradus challenge new`")
        for name in sorted(files)
        if not _PATH.fullmatch(name)
    ]
    sizes = {name: len(text.encode()) for name, text in files.items()}
    for name, size in sizes.items():
        most = MOST_KB_OF_TOML if name.endswith(".toml") else MOST_KB_A_FILE
        if size > most * 1024:
            found.append(Complaint(name[:200], f"has {size:,} bytes; at most {most} KiB are kept of it"))
    if len(files) > MOST_FILES:
        found.append(Complaint("the folder", f"has {len(files)} files; at most {MOST_FILES} are kept"))
    if sum(sizes.values()) > MOST_KB * 1024:
        found.append(Complaint("the folder", f"has more than {MOST_KB} KiB in all"))
    return found


@contextmanager
def in_a_folder(slug: str, files: dict[str, str]) -> Iterator[Path]:
    """The files as a challenge's folder, for a while. Paths have been checked: see `refused`."""
    with tempfile.TemporaryDirectory(prefix="gradus-own-") as root:
        folder = Path(root) / _section(files.get("challenge.toml", "")) / slug
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        folder.mkdir(parents=True, exist_ok=True)
        yield folder


def checked(slug: str, files: dict[str, str]) -> Checked:
    """All that can be said without running anything: schema, what is still to be written, what the statement keeps quiet."""
    with in_a_folder(slug, files) as folder:
        found = [Complaint(each.where, each.text) for each in unwritten(folder)]
        try:
            package = load(folder, locked=False)
            reasons(folder)
        except PackageError as error:
            return Checked((*found, _told(error, folder)), None)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return Checked((*found, Complaint("the folder", f"cannot be read: {error}"[:300])), None)
    found += _beyond(package.info)
    if not found:
        found += [Complaint(each.where, each.text) for each in (*unclear(package), *untold(package))]
    return Checked(tuple(found), package)


def loaded(slug: str, files: dict[str, str]) -> Package:
    """The package of files with their locks. Raises `PackageError`."""
    with in_a_folder(slug, files) as folder:
        return load(folder)


def title(files: dict[str, str]) -> str:
    """The title, if there is one that a list can show; else empty."""
    told = _word(files.get("challenge.toml", ""), "title").strip()
    shown = told.isprintable() and len(told) <= MOST_TEXT["title"] and PENCIL not in told
    return told if shown else ""


def _section(toml: str) -> str:
    named = _word(toml, "section")
    return named if SLUG.fullmatch(named) and len(named) <= 60 else SECTION


def _word(toml: str, key: str) -> str:
    try:
        told = tomllib.loads(toml).get(key, "")
    except (tomllib.TOMLDecodeError, RecursionError):
        return ""
    return told if isinstance(told, str) else ""


def _told(error: PackageError, folder: Path) -> Complaint:
    """An error without the way to our folder."""
    text = str(error).replace(f"{folder}/", "").replace(f"{folder}: ", "")
    where, _, rest = text.partition(": ")
    return Complaint(where, rest) if rest and len(where) < 100 else Complaint("the folder", text)


def _beyond(info: Info) -> list[Complaint]:
    """What asks for more than a team's own challenge may have."""
    found = []
    for name, most in MOST_TEXT.items():
        text = getattr(info, name)
        if len(text) > most or not text.strip() or (name == "title" and not text.isprintable()):
            found.append(f"{name} has 1 to {most} printable characters")
    for name in ("topics", "hints", "application", "entry"):
        if len(getattr(info, name)) > MOST_ITEMS:
            found.append(f"{name} has at most {MOST_ITEMS} items")
    if not 1 <= info.minutes <= MOST_MINUTES:
        found.append(f"minutes is 1 to {MOST_MINUTES}")
    if info.devices != ("cpu",):
        found.append('devices is ["cpu"]')
    for name in Limits.__struct_fields__:
        value, most = getattr(info.limits, name), getattr(CEILINGS, name)
        if isinstance(most, bool):
            if value:
                found.append(f"limits.{name} is not offered to a team's own challenge")
        elif not 0 < value <= most:
            found.append(f"limits.{name} is more than 0 and at most {most:g}")
    return [Complaint("challenge.toml", text) for text in found]
