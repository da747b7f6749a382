"""Checks a challenge that a team uploads, before any of its code runs. The challenge's files are given as a dict from path to
text. This module does not execute the files and does not import torch.

Authors upload only those files of a challenge's folder that they write themselves (see package.py). The files that the gate
writes (tests.lock, gate.lock) are stored separately.
"""

import re
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader.content.authoring.gate_toml import load_gate_toml
from grader.content.authoring.promises import untested_promises
from grader.content.authoring.scaffold import PENCIL, new_challenge, unwritten_lines
from grader.content.authoring.statement import statement_findings
from grader.content.authoring.undisclosed import undisclosed_properties
from grader.content.package import SLUG, Info, Package, load
from grader.contract.errors import PackageError
from grader.contract.job import Limits

MOST_FILES, MOST_KB, MOST_KB_A_FILE, MOST_KB_OF_TOML = 60, 1024, 256, 64
SECTION = "own"
LOCKS = ("tests.lock", "gate.lock")
# Files that the gate writes or changes. In the two .md files, it replaces the outputs below examples; it writes the other two.
WRITTEN = ("statement.md", "editorial.md", *LOCKS)
_PATH = re.compile(
    r"(challenge|gate|wrong)\.toml|(statement|editorial)\.md|(starter|tests|given|probes)\.py"
    r"|submissions/(accepted|wa|re|tle|mle|ole|ce|rv)/[a-z0-9][a-z0-9_-]{0,60}\.py"
)
# The highest values that a team's own challenge may set under [limits] in challenge.toml.
CEILINGS = Limits(
    cpu_s_per_call=30, cpu_s=60, memory_mb=2048, processes=64, output_kb=256, calls=100_000, frame_mb=64, wire_mb=1024
)
MOST_TEXT = {"title": 120, "summary": 300, "why": 2000, "skill": 2000}
MOST_ITEMS = 20
MOST_MINUTES = 600


@dataclass(frozen=True)
class Complaint:
    """A problem that an author must fix before the gate can run. `where` names the file, and `text` says what to do."""

    where: str
    text: str


@dataclass(frozen=True)
class Checked:
    """The result of `check_files`. `package` is None if the files are not a valid challenge."""

    complaints: tuple[Complaint, ...]
    package: Package | None


def scaffold(slug: str, kind: str, form: str) -> dict[str, str]:
    """Return the files of a new challenge, as a dict from path to text. Raises `PackageError` if `slug` is not a valid slug."""
    with tempfile.TemporaryDirectory(prefix="gradus-new-") as root:
        folder = new_challenge(Path(root), SECTION, slug, kind=kind, form=form)
        return read(folder)


def read(folder: Path) -> dict[str, str]:
    """Read those files of a folder that authors may upload. Returns a dict from path to text."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    named = {path.relative_to(folder).as_posix(): path for path in paths}
    return {name: path.read_text(encoding="utf-8") for name, path in named.items() if _PATH.fullmatch(name)}


def upload_complaints(files: dict[str, str]) -> list[Complaint]:
    """Return the reasons why the service cannot store an upload: paths that are not allowed, files that are too large, or too
    many files.
    """
    found = [
        Complaint(name[:200], "is not a file of a challenge's folder: remove it, or see `gradus challenge new`")
        for name in sorted(files)
        if not _PATH.fullmatch(name)
    ]
    sizes = {name: len(text.encode()) for name, text in files.items()}
    for name, size in sizes.items():
        most = MOST_KB_OF_TOML if name.endswith(".toml") else MOST_KB_A_FILE
        if size > most * 1024:
            found.append(Complaint(name[:200], f"has {size:,} bytes; the limit is {most} KiB"))
    if len(files) > MOST_FILES:
        found.append(Complaint("the folder", f"has {len(files)} files; the limit is {MOST_FILES}"))
    if sum(sizes.values()) > MOST_KB * 1024:
        found.append(Complaint("the folder", f"has more than {MOST_KB} KiB in total"))
    return found


@contextmanager
def temporary_folder(slug: str, files: dict[str, str]) -> Iterator[Path]:
    """Write the files to a folder that exists until the `with` block ends. The caller must check the paths before, with
    `upload_complaints`, because a path such as `../x` would be written outside the folder.
    """
    with tempfile.TemporaryDirectory(prefix="gradus-own-") as root:
        folder = Path(root) / _section(files.get("challenge.toml", "")) / slug
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        folder.mkdir(parents=True, exist_ok=True)
        yield folder


def check_files(slug: str, files: dict[str, str]) -> Checked:
    """Run all checks that do not execute code. They find violations of the schema, limits that are too high, lines that the
    author has not yet written, and information that is missing in the statement.
    """
    with temporary_folder(slug, files) as folder:
        found = [Complaint(each.where, each.text) for each in unwritten_lines(folder)]
        try:
            package = load(folder, locked=False)
            rows = load_gate_toml(folder).promise
        except PackageError as error:
            return Checked((*found, _told(error, folder)), None)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return Checked((*found, Complaint("the folder", f"cannot be read: {error}"[:300])), None)
    found += _beyond(package.info)
    if not found:
        found += [
            Complaint(each.where, each.text)
            for each in (
                *statement_findings(package),
                *undisclosed_properties(package),
                *untested_promises(package, rows),
            )
        ]
    return Checked(tuple(found), package)


def loaded(slug: str, files: dict[str, str]) -> Package:
    """Load the package from its files, which must include tests.lock. Raises `PackageError` if the files are invalid."""
    with temporary_folder(slug, files) as folder:
        return load(folder)


def title(files: dict[str, str]) -> str:
    """Return the title in challenge.toml. Returns an empty text if the title is missing, unprintable, too long, or has not been
    changed since the scaffold created it.
    """
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
    """Turn an error into a complaint. Removes the temporary folder's path from the message, because the author does not know
    this folder.
    """
    text = str(error).replace(f"{folder}/", "").replace(f"{folder}: ", "")
    where, _, rest = text.partition(": ")
    return Complaint(where, rest) if rest and len(where) < 100 else Complaint("the folder", text)


def _beyond(info: Info) -> list[Complaint]:
    """Return a complaint for each value in challenge.toml that a team's own challenge may not have, such as a limit above
    CEILINGS.
    """
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
