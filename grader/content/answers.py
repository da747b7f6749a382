"""Reads the answers of a challenge, both those written as files in submissions/ and those written as changes in wrong.toml.

    submissions/accepted/*.py      accepted; the first by name is the reference
    submissions/<verdict>/*.py     wrong answers written out in full; the first line is `# caught by: <test id>`
    wrong.toml                     wrong answers that differ from an accepted one in a few lines (see answer_changes.py)

All code that judges, counts or shows answers must call `answers()`. Code that only reads the files in submissions/ would miss
the answers in wrong.toml. This module does not execute the answers.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from grader.content.answer_changes import NAME, UNTESTED, Wrong, changed, listed
from grader.contract.errors import PackageError
from grader.contract.job import Verdict

FOLDER, ACCEPTED = "submissions", "accepted"
_CAUGHT_BY = re.compile(r"#\s*caught by:?\s*(\S.*?)\s*")
# Matches the header of a wrong answer: the line that names the test that catches the answer, and the module's docstring.
_HEADER = re.compile(r'\A(?:#\s*caught by:?[^\n]*\n)?\s*(?:[rR]?"""(.*?)"""[ \t]*(?:\n|\Z))?\n*', re.DOTALL)


class Answer(msgspec.Struct, frozen=True):
    """An answer to be judged. `name` is the name of its file. For an answer from wrong.toml, `name` is the name of its table
    followed by `.py`.

    `caught_by` is the id of the test that must reject a wrong answer. `mistake` is the docstring, which says what is wrong. If
    a table of wrong.toml describes the answer, `of` is the name of the accepted answer that the table changes.
    """

    name: str
    verdict: Verdict
    source: str
    caught_by: str = ""
    mistake: str = ""
    of: str = ""

    @property
    def stem(self) -> str:
        """The answer's name without `.py`."""
        return self.name.removesuffix(".py")

    @property
    def place(self) -> str:
        """Where the author finds the answer: a file's name, or wrong.toml and the name of the table."""
        return f"{NAME}: {self.stem}" if self.of else self.name

    @property
    def code(self) -> str:
        """The answer's source without the header (the `# caught by` line and the docstring)."""
        return header(self.source).code


class Header(NamedTuple):
    """A source split into its docstring (`mistake`) and the code below the docstring."""

    mistake: str
    code: str


def answers(folder: Path) -> tuple[Answer, ...]:
    """Return all answers of a challenge: first the accepted ones by name, then the wrong ones by verdict and name.

    Raises `PackageError` if there is no accepted answer, or if an answer cannot be read or is described wrongly.
    """
    accepted = [_accepted(path) for path in sorted((folder / FOLDER / ACCEPTED).glob("*.py"))]
    if not accepted:
        raise PackageError(f"{folder}/{FOLDER}/{ACCEPTED}: at least one accepted answer is needed")
    files = [_file(path) for path in wrong_files(folder)]
    changes = [expanded(folder / NAME, wrong, accepted) for wrong in listed(folder)]
    _refuse_twins(folder / NAME, accepted, files, changes)
    return (*accepted, *sorted((*files, *changes), key=lambda answer: (answer.verdict.lower(), answer.name)))


def wrong_files(folder: Path) -> list[Path]:
    """Return the paths of the wrong answers that are files. Answers in wrong.toml are not included."""
    return [path for path in sorted(folder.glob(f"{FOLDER}/*/*.py")) if path.parent.name != ACCEPTED]


def expanded(path: Path, wrong: Wrong, accepted: Iterable[Answer]) -> Answer:
    """Build the answer that a table of wrong.toml describes. Raises `PackageError` if a change cannot be applied."""
    known = list(accepted)
    origin = next((answer for answer in known if wrong.of in ("", answer.stem)), None)
    if origin is None:
        names = ", ".join(answer.stem for answer in known)
        raise PackageError(f"{path}: {wrong.name}: there is no accepted answer {wrong.of!r}; `of` is one of: {names}")
    try:
        code = changed(origin.code, wrong.changes)
    except ValueError as error:
        raise PackageError(f"{path}: {wrong.name}: {error} in {FOLDER}/{ACCEPTED}/{origin.name}") from None
    if code == origin.code:
        raise PackageError(f"{path}: {wrong.name}: its changes leave {origin.name} as it is")
    source = headed(wrong.caught_by, wrong.mistake, code)
    return Answer(
        f"{wrong.name}.py", Verdict(wrong.verdict.upper()), source, wrong.caught_by, wrong.mistake, origin.stem
    )


def header(source: str) -> Header:
    """Split a source into the docstring and the code below it. Drops the `# caught by` line above the docstring."""
    found = _HEADER.match(source)
    if found is None:  # this cannot happen, because every part of the pattern is optional
        return Header("", source)
    return Header((found[1] or "").strip(), source[found.end() :])


def headed(caught_by: str, mistake: str, code: str) -> str:
    """Build the source of a wrong answer: a comment with the test that catches it, a docstring with the mistake, the code."""
    first = f"# caught by: {caught_by}\n" if caught_by else ""
    gap = "\n" if code.startswith(("import ", "from ")) else "\n\n"
    return f'{first}"""{mistake}"""\n{gap}{code}'


def _accepted(path: Path) -> Answer:
    return Answer(path.name, Verdict.AC, _text(path))


def _file(path: Path) -> Answer:
    source = _text(path)
    return Answer(path.name, _verdict(path), source, _caught_by(path, source), header(source).mistake)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise PackageError(f"{path}: not UTF-8 at byte {error.start}; save the file as UTF-8") from None


def _verdict(path: Path) -> Verdict:
    try:
        return Verdict(path.parent.name.upper())
    except ValueError:
        raise PackageError(
            f"{path.parent}: the folder of a wrong answer is its verdict in lower case: wa, re, tle, mle, ole, ce, rv"
        ) from None


def _caught_by(path: Path, source: str) -> str:
    if path.parent.name in UNTESTED:
        return ""
    match = _CAUGHT_BY.fullmatch(source.partition("\n")[0])
    if not match:
        raise PackageError(f"{path}: the first line must be '# caught by: <test id>'")
    return match.group(1)


def _refuse_twins(path: Path, accepted: list[Answer], files: list[Answer], changes: list[Answer]) -> None:
    """Raise `PackageError` if an answer from wrong.toml has the name of another wrong answer or the same code as another
    answer.
    """
    names = {answer.name: answer for answer in files}
    codes = {answer.code: answer for answer in (*accepted, *files)}
    for answer in changes:
        if answer.name in names:
            other = names[answer.name]
            where = "another table" if other.of else f"a file in {FOLDER}/{other.verdict.lower()}"
            raise PackageError(f"{path}: {answer.stem}: {where} has the same name")
        if same := codes.get(answer.code):
            raise PackageError(f"{path}: {answer.stem}: its changes give the same code as {same.place}")
        names[answer.name] = codes[answer.code] = answer
