"""Expands a combination into a folder like any other challenge's, which the ordinary loader reads.

The folder has no wrong answers and an empty editorial, because those belong to the plain challenge. It has the accepted answers
to which every value of the combination applies: an answer that a value leaves as it is would answer the plain task.
"""

import hashlib
import json
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from grader.content.answer_changes import changed
from grader.content.examples import filled_in
from grader.content.package import Lock, Package, TestSpec, load
from grader.content.pictures import FOLDER as PICTURES
from grader.content.variants.declared import Combination, FileChange, declaration
from grader.contract.errors import PackageError

ACCEPTED = Path("submissions", "accepted")
FILES = ("challenge.toml", "statement.md", "starter.py", "tests.py", "given.py", "probes.py")
# What stays the same in all variants, so that lists, reports and points need not know about variants.
SAME = ("title", "section", "difficulty", "form", "scoring", "devices", "minutes", "visibility")


class Computed(msgspec.Struct, frozen=True):
    """The parts of a variant that the gate computes: its tests as pytest collects them, and the outputs of the statement's
    examples.
    """

    tests: tuple[TestSpec, ...]
    outputs: tuple[str, ...]


@contextmanager
def expanded(folder: Path, combination: Combination, computed: Computed | None = None) -> Iterator[Path]:
    """Provide the folder of a combination for a `with` block. With `computed`, the folder contains a tests.lock with these tests,
    and the statement has these outputs below its examples. Otherwise, the outputs are those of the plain challenge.

    Raises `PackageError` if a change cannot be applied, or if there is another number of outputs than of examples.
    """
    with tempfile.TemporaryDirectory(prefix="variant-") as made:
        target = Path(made, folder.parent.name, folder.name)
        _write(folder, target, combination)
        if computed is not None:
            lock = json.dumps(msgspec.to_builtins(Lock(computed.tests)), indent=1)
            (target / "tests.lock").write_text(lock + "\n", encoding="utf-8")
            statement = target / "statement.md"
            try:
                statement.write_text(filled_in(statement.read_text("utf-8"), list(computed.outputs)), "utf-8")
            except ValueError:
                told = "the statement has another number of examples than when it was proven"
                raise PackageError(f"{declaration(folder)}: {combination.name}: {told}") from None
        yield target


def load_variant(folder: Path, combination: Combination, computed: Computed) -> Package:
    """Return the package of a combination. Its digest covers the expanded folder, and the combination's name and summary.

    Raises `PackageError` if a change cannot be applied, or if the result is not a valid challenge.
    """
    with expanded(folder, combination, computed) as target:
        return read_expanded(folder, target, combination)


def read_expanded(folder: Path, target: Path, combination: Combination) -> Package:
    """Load an expanded folder, with or without a tests.lock. `folder` is the folder of the plain challenge."""
    try:
        package = load(target, locked=False)
        plain = load(folder, locked=False).info
    except PackageError as error:
        told = str(error).replace(str(target), str(folder))
        raise PackageError(f"{declaration(folder)}: {combination.name}: {told}") from None
    for name in SAME:
        if getattr(package.info, name) != getattr(plain, name):
            raise PackageError(f"{declaration(folder)}: {combination.name}: {name} is the same in all variants")
    named = f"{package.digest}\0{combination.name}\0{combination.summary}"
    return msgspec.structs.replace(package, digest=hashlib.sha256(named.encode()).hexdigest())


def _write(folder: Path, target: Path, combination: Combination) -> None:
    changes: dict[str, list[FileChange]] = defaultdict(list)
    for value in combination.values:
        for change in value.changes:
            changes[change.file].append(change)
    (target / ACCEPTED).mkdir(parents=True)
    names = [name for name in FILES if (folder / name).is_file()]
    names += [(ACCEPTED / name).as_posix() for name in _answers(folder, combination)]
    if unknown := [name for name in changes if not (folder / name).is_file()]:
        raise PackageError(f"{declaration(folder)}: {combination.name}: {folder.name} has no {unknown[0]}")
    for name in names:
        try:
            text = changed((folder / name).read_text(encoding="utf-8"), changes[name])
        except UnicodeDecodeError as error:
            raise PackageError(f"{folder / name}: not UTF-8 at byte {error.start}; save the file as UTF-8") from None
        except ValueError as error:
            raise PackageError(f"{declaration(folder)}: {combination.name}: {error} in {name}") from None
        (target / name).write_text(text, encoding="utf-8")
    (target / "editorial.md").write_text("", encoding="utf-8")
    _copy_pictures(folder, target)


def _answers(folder: Path, combination: Combination) -> list[str]:
    """Return the file names of the accepted answers to which every value applies. The first of them is the reference, which
    tests use, so it must be the reference of the plain challenge.
    """
    found = sorted(path.name for path in (folder / ACCEPTED).glob("*.py"))
    values = [value for value in combination.values if value.changes]
    kept = [
        name
        for name in found
        if all(any(change.file == (ACCEPTED / name).as_posix() for change in value.changes) for value in values)
    ]
    if len(kept) < 2 or kept[0] != found[0]:
        told = ", ".join(kept) or "none"
        raise PackageError(
            f"{declaration(folder)}: {combination.name}: every value must change the reference ({', '.join(found[:1])}) and at "
            f"least one more accepted answer; all values change: {told}"
        )
    return kept


def _copy_pictures(folder: Path, target: Path) -> None:
    statement = (target / "statement.md").read_text(encoding="utf-8")
    for path in sorted((folder / PICTURES).glob("*")):
        if f"{PICTURES}/{path.name}" in statement:
            (target / PICTURES).mkdir(exist_ok=True)
            shutil.copyfile(path, target / PICTURES / path.name)
