"""Reads wrong.toml, in which an author describes wrong answers as changes to an accepted one.

    [[wrong]]
    name = "no-scale"
    verdict = "wa"
    caught_by = "test_worked_example"              # leave out for `ce` (compile error) and `rv` (rule violation): no test runs
    mistake = "The scores are not scaled."
    of = "b-einsum"                                # the accepted answer to change; default: the first one, by name

    [[wrong.changes]]
    find = '''
        scores = q @ k.mT / math.sqrt(d)
    '''
    replace = '''
        scores = q @ k.mT
    '''

If a `find` ends with a line break, it stands for whole lines, so it matches only at the beginning of a line. Any other `find`
matches anywhere. Each `find` must match exactly once in the code below the accepted answer's docstring. This module does not
execute the answers.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from pathlib import Path

import msgspec

from grader.contract.errors import PackageError

NAME = "wrong.toml"
# The largest number of [[wrong]] tables in a file. Each table becomes a complete answer, so without a limit a team's small
# wrong.toml could expand to very many answers.
MOST_CHANGED = 200
VERDICTS, UNTESTED = ("wa", "re", "tle", "mle", "ole", "ce", "rv"), ("ce", "rv")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}")


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One change to an accepted answer: replaces the text `find` by the text `replace`."""

    find: str
    replace: str


class Wrong(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wrong answer, written as changes to an accepted one."""

    name: str
    verdict: str
    mistake: str
    changes: tuple[Change, ...]
    caught_by: str = ""
    of: str = ""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    wrong: tuple[Wrong, ...] = ()


def listed(folder: Path) -> tuple[Wrong, ...]:
    """Read the tables of wrong.toml. Raises `PackageError` if the file cannot be read or a table is invalid."""
    path = folder / NAME
    if not path.is_file():
        return ()
    try:
        found = msgspec.toml.decode(path.read_text(encoding="utf-8"), type=_File).wrong
    except UnicodeDecodeError as error:
        raise PackageError(f"{path}: not UTF-8 at byte {error.start}; save the file as UTF-8") from None
    except (msgspec.MsgspecError, RecursionError) as error:
        raise PackageError(f"{path}: {_with_name(path, str(error))}") from None
    if len(found) > MOST_CHANGED:
        raise PackageError(f"{path}: has {len(found)} wrong answers, at most {MOST_CHANGED} are read")
    for wrong in found:
        if complaint := _incomplete(wrong):
            raise PackageError(f"{path}: {wrong.name[:60]}: {complaint}")
    return found


def changed(code: str, changes: Iterable[Change]) -> str:
    """Apply all changes to `code`. Each `find` is searched in the original code, so the order of the changes does not matter.

    Raises `ValueError` if a `find` does not match exactly once, or if two changes overlap. The error's message is an unfinished
    sentence, so that the caller can append «in» and the name of the file.
    """
    places = []
    for number, change in enumerate(changes, 1):
        found = list(islice(_places(code, change.find), 2))
        if len(found) != 1:
            times = "occurs more than once" if found else "does not occur"
            raise ValueError(
                f"the find of change {number} ({_shown(change.find)}) {times}, and must occur exactly once,"
            )
        places.append((found[0], found[0] + len(change.find), change.replace, number))
    places.sort()
    for (_, end, _, one), (start, _, _, other) in pairwise(places):
        if start < end:
            raise ValueError(f"changes {one} and {other} overlap")
    for start, end, replace, _ in reversed(places):
        code = code[:start] + replace + code[end:]
    return code


def _places(code: str, find: str) -> Iterator[int]:
    whole_lines = find.endswith("\n")
    start = code.find(find)
    while start >= 0:
        if not whole_lines or start == 0 or code[start - 1] == "\n":
            yield start
        start = code.find(find, start + 1)


def _shown(find: str) -> str:
    first, _, rest = find.strip().partition("\n")
    return repr(first[:60]) + (" …" if rest or len(first) > 60 else "")


def _incomplete(wrong: Wrong) -> str:
    """Return a message that says what is wrong with a table, or an empty text if nothing is wrong."""
    untested = wrong.verdict in UNTESTED
    if not _NAME.fullmatch(wrong.name):
        return "a name is lower-case letters, digits, '-' and '_', for example 'no-scale'"
    if wrong.verdict not in VERDICTS:
        return f"the verdict is one of {', '.join(VERDICTS)}"
    if untested == bool(wrong.caught_by):
        return (
            f"no test catches a {wrong.verdict}: remove caught_by"
            if untested
            else "caught_by is missing: the id of the test that must catch it"
        )
    if wrong.caught_by != wrong.caught_by.strip() or "\n" in wrong.caught_by:
        return "caught_by is the id of one test, without spaces around it"
    if not wrong.mistake.strip() or not wrong.mistake.isprintable():
        return "mistake is one sentence on one line"
    if '"""' in wrong.mistake or wrong.mistake.endswith('"') or "\\" in wrong.mistake:
        return "mistake becomes a docstring: write it without backslashes, and without a double quote at its end"
    if not wrong.changes:
        return "has no [[wrong.changes]]: nothing would be wrong with it"
    return next(filter(None, (_misshapen(n, change) for n, change in enumerate(wrong.changes, 1))), "")


def _misshapen(number: int, change: Change) -> str:
    if not change.find.strip():
        return f"the find of change {number} is empty: quote the lines that are replaced"
    if change.find.endswith("\n") and change.replace and not change.replace.endswith("\n"):
        return f"the find of change {number} is whole lines: end its replace with a line break too"
    return ""


def _with_name(path: Path, error: str) -> str:
    """Prefix a schema error with the `name` of the invalid table, if it has one. msgspec reports only the table's number."""
    place = re.search(r"`\$\.wrong\[(\d+)\]", error)
    if place is None:
        return error
    tables = msgspec.toml.decode(path.read_text(encoding="utf-8")).get("wrong")
    name = tables[int(place[1])].get("name") if isinstance(tables[int(place[1])], dict) else None
    return f"{name}: {error}" if isinstance(name, str) else error
