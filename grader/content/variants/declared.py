"""Reads `challenges/variants/<slug>.toml`, in which an author declares the variants of a challenge.

    [[parameter]]
    name = "eps"
    about = "Where eps stands"

    [[parameter.value]]                            # the first value is the plain one: the challenge as its folder has it
    name = "inside"
    summary = "eps inside the root"                # what interviewers read in reports

    [[parameter.value]]
    name = "outside"
    summary = "eps added to the root"

    [[parameter.value.changes]]
    file = "submissions/accepted/a-reference.py"
    find = "torch.sqrt(variance + eps)"
    replace = "(torch.sqrt(variance) + eps)"

A combination takes one value of each parameter; its name joins the names of the values with dots, such as `outside.sum`. All
combinations are offered, unless `offered` lists some of them. The file lies outside the challenge's folder, so that declaring
variants changes neither the digest nor the proof of the plain challenge. This module does not execute answers.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import msgspec

from grader.content.answer_changes import Change
from grader.contract.errors import PackageError

FOLDER = "variants"
# The largest number of combinations of a challenge. Each is proved by itself and stored by the service.
MOST_COMBINATIONS = 16
CHANGEABLE = re.compile(
    r"challenge\.toml|statement\.md|starter\.py|tests\.py|given\.py|probes\.py|submissions/accepted/[a-z0-9][a-z0-9_-]*\.py"
)
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST_SUMMARY = 80


class FileChange(Change, frozen=True, forbid_unknown_fields=True):
    """One change to a file of the challenge's folder: replaces the text `find` by the text `replace`."""

    file: str


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value of a parameter. `summary` says in a few words what is different."""

    name: str
    summary: str
    changes: tuple[FileChange, ...] = ()


class Parameter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What can be different, and the values that it can have. The first value is the plain one."""

    name: str
    about: str
    value: tuple[Value, ...]


class Combination(msgspec.Struct, frozen=True):
    """One value of each parameter."""

    values: tuple[Value, ...]

    @property
    def name(self) -> str:
        """The names of the values, joined with dots."""
        return ".".join(value.name for value in self.values)

    @property
    def summary(self) -> str:
        """What distinguishes this variant from the others, for interviewers."""
        return "; ".join(value.summary for value in self.values)

    @property
    def is_plain(self) -> bool:
        """Whether this combination changes nothing: the task is the one of the challenge's folder."""
        return not any(value.changes for value in self.values)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    parameter: tuple[Parameter, ...]
    offered: tuple[str, ...] = ()


def declaration(folder: Path) -> Path:
    """Return the path of the file that declares the variants of the challenge in `folder`. The file need not exist."""
    return folder.parent.parent / FOLDER / f"{folder.name}.toml"


def declaration_digest(folder: Path) -> str:
    """Return the SHA-256 of the file that declares the variants of a challenge."""
    return hashlib.sha256(declaration(folder).read_bytes()).hexdigest()


def combinations(folder: Path) -> tuple[Combination, ...]:
    """Return the offered combinations of a challenge, in the order of the file; none if the challenge declares no variants.

    Raises `PackageError` if the file is invalid. The message names the parameter and says what to write.
    """
    path = declaration(folder)
    if not path.is_file():
        return ()
    try:
        read = msgspec.toml.decode(path.read_text(encoding="utf-8"), type=_File)
    except UnicodeDecodeError as error:
        raise PackageError(f"{path}: not UTF-8 at byte {error.start}; save the file as UTF-8") from None
    except (msgspec.MsgspecError, RecursionError) as error:
        raise PackageError(f"{path}: {error}") from None
    if complaint := next(_complaints(read), ""):
        raise PackageError(f"{path}: {complaint}")
    found = {one.name: one for one in map(Combination, product(*(parameter.value for parameter in read.parameter)))}
    if unknown := [name for name in read.offered if name not in found]:
        raise PackageError(
            f"{path}: offered names {unknown[0]!r}, which is no combination; they are: {', '.join(found)}"
        )
    return tuple(one for name, one in found.items() if not read.offered or name in read.offered)


def _complaints(read: _File) -> Iterator[str]:
    yield from _duplicates("the parameter", [parameter.name for parameter in read.parameter])
    if not read.parameter:
        yield "has no [[parameter]]"
    number = 1
    for parameter in read.parameter:
        yield from _of_parameter(parameter)
        number *= len(parameter.value)
    if number > MOST_COMBINATIONS:
        yield f"has {number} combinations, at most {MOST_COMBINATIONS} are read: leave out a parameter or a value"
    yield from _duplicates("offered:", list(read.offered))
    if len(read.offered) == 1:
        yield "offered has one combination: name at least two, or leave it out to offer all"


def _of_parameter(parameter: Parameter) -> Iterator[str]:
    where = f"parameter {parameter.name[:60]!r}"
    yield from _duplicates(f"{where}: the value", [value.name for value in parameter.value])
    if not parameter.about.strip():
        yield f"{where}: about is empty: say what is different between the values"
    if len(parameter.value) < 2:
        yield f"{where}: needs at least two [[parameter.value]] tables"
    for number, value in enumerate(parameter.value):
        named = f"{where}, value {value.name[:60]!r}"
        for name in (parameter.name, value.name):
            if not _NAME.fullmatch(name):
                yield f"{named}: a name is lower-case words joined by '-', for example 'eps-inside'"
        if not value.summary.strip() or not value.summary.isprintable() or len(value.summary) > _LONGEST_SUMMARY:
            yield f"{named}: summary is a phrase of at most {_LONGEST_SUMMARY} characters on one line"
        if number == 0 and value.changes:
            yield f"{named}: the first value is the plain one and has no changes; put it first, or move the changes"
        if number > 0 and not value.changes:
            yield f"{named}: has no [[parameter.value.changes]], so nothing would be different"
        for change in value.changes:
            yield from _of_change(named, change)


def _of_change(named: str, change: FileChange) -> Iterator[str]:
    if not CHANGEABLE.fullmatch(change.file):
        yield (
            f"{named}: {change.file[:80]!r} cannot be changed; a variant changes challenge.toml, statement.md, starter.py, "
            "tests.py, given.py, probes.py and submissions/accepted/*.py"
        )
    if not change.find.strip():
        yield f"{named}: a find in {change.file} is empty: quote the text that is replaced"
    if change.find.endswith("\n") and change.replace and not change.replace.endswith("\n"):
        yield f"{named}: a find in {change.file} is whole lines: end its replace with a line break too"


def _duplicates(what: str, names: list[str]) -> Iterator[str]:
    yield from (f"{what} {name[:60]!r} appears twice" for name, count in Counter(names).items() if count > 1)
