"""Reads and validates a challenge's folder: `challenges/<section>/<slug>/` -> `Package`.

    challenge.toml  statement.md  starter.py  tests.py  tests.lock  editorial.md      required
    given.py  probes.py  quiz.toml  gate.toml (only the authoring gate reads it)      optional
    submissions/accepted/*.py (at least two; the first by name is the reference)      accepted answers, read by answers.py
    wrong.toml  submissions/<verdict>/*.py                                            wrong answers, read by answers.py

Unknown keys are rejected, and every error names the file, the key and what to write. This module does not import torch.
"""

import ast
import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from grader.content import pictures, proof
from grader.content.answer_changes import NAME as WRONG_ANSWERS
from grader.content.answers import Answer, answers
from grader.content.proof import Proof
from grader.contract.errors import PackageError
from grader.contract.job import Limits, Verdict

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
REQUIRED_FILES = ("challenge.toml", "statement.md", "starter.py", "tests.py", "editorial.md")

Difficulty = Literal["easy", "medium", "hard"]
Form = Literal["write", "fix"]  # "fix": the starter is broken code that candidates repair


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A function or class that the answer must define. `signature` is shown to candidates. If the answer's definition does not
    accept the parameters of `signature`, the answer gets the verdict CE (compile error) and no test runs.

    The arguments and the result of a `function` are sent as values. Objects of a `class` stay in the cell, and tests can use
    its declared `methods` and `attributes`. A `module` is a class derived from nn.Module, of which tests can also use
    state_dict, train, eval and parameters. An `autograd_function` is a class derived from torch.autograd.Function, of which
    tests can use `apply`.

    If `returns` is "iterator", a test can iterate over the result of a function. With `mutates`, the answer may change its
    arguments in place, and the changes are applied to the test's own objects. Without `mutates`, such a change makes the test
    fail.
    """

    name: str
    kind: Literal["function", "class", "module", "autograd_function"]
    signature: str
    methods: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    returns: Literal["value", "iterator"] = "value"
    mutates: bool = False


class Forbidden(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the answer must not use: dotted names (searched in the source) and operators (observed at run time)."""

    names: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()


class Info(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of challenge.toml.

    A challenge with the visibility `assessments` is not in public lists; only teams can use it. `covers` contains ids of
    interview questions in syllabus.toml. A candidate who can solve the challenge can also answer these questions.
    """

    title: str
    summary: str
    section: str
    difficulty: Difficulty
    topics: tuple[str, ...]
    minutes: int
    why: str
    skill: str
    hints: tuple[str, ...]
    entry: tuple[Entry, ...]
    form: Form = "write"
    visibility: Literal["public", "assessments"] = "public"
    application: tuple[str, ...] = ()
    syllabus: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    devices: tuple[Literal["cpu", "cuda"], ...] = ("cpu",)
    scoring: Literal["per-test", "all-or-nothing"] = "per-test"
    limits: Limits = Limits()
    forbidden: Forbidden = Forbidden()


class TestSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A test in tests.lock. `id` is pytest's node id without the file; `title` is the first line of the test's docstring.

    A `sample` is a test that candidates can read. An `attested` test relies on observations made in the answer's own process.
    The answer could forge these observations.
    """

    id: str
    title: str
    points: int
    sample: bool = False
    attested: bool = False


class Lock(msgspec.Struct, frozen=True):
    """The content of tests.lock, which the authoring gate writes.

    Unknown keys are ignored, because files written before 2026-11-23 contain seeds, which are no longer used.
    """

    tests: tuple[TestSpec, ...]


class Package(msgspec.Struct, frozen=True):
    """A validated challenge. `digest` identifies this version of the folder; the function `digest()` lists the files it covers.

    `proof` is the authoring gate's result for exactly this version. It is None if this version has not passed the gate.
    """

    slug: str
    digest: str
    info: Info
    statement: str
    starter: str
    tests_source: str
    lock: Lock
    editorial: str
    given: str
    probes: str
    answers: tuple[Answer, ...]
    proof: Proof | None = None
    pictures: dict[str, bytes] = {}

    @property
    def reference(self) -> str:
        """The source of the first accepted answer, which tests use as the fixture `reference`."""
        return next(a.source for a in self.answers if a.verdict is Verdict.AC)

    def answer(self, name: str, *, wrong: bool = False) -> Answer:
        """Return the accepted answer called `name` (without `.py`). With `wrong`, returns the wrong answer of that name.

        Raises `PackageError` if there is no such answer.
        """
        known = {each.stem: each for each in self.answers if (each.verdict is not Verdict.AC) == wrong}
        if name not in known:
            what = "wrong" if wrong else "accepted"
            raise PackageError(f"{self.slug} has no {what} answer {name!r}; it has: {', '.join(known)}")
        return known[name]

    @property
    def max_score(self) -> int:
        """The sum of the points of all tests."""
        return sum(t.points for t in self.lock.tests)

    def selected(self, *, samples_only: bool) -> tuple[TestSpec, ...]:
        """Return the tests that a job runs: with `samples_only` the samples (tests that candidates can read), otherwise all."""
        return tuple(t for t in self.lock.tests if t.sample or not samples_only)


def load(folder: Path, *, locked: bool = True) -> Package:
    """Read one challenge folder. Raises `PackageError` if it is invalid; the message names the file, the key and what to write.

    With `locked=False`, tests.lock is optional. The authoring gate uses this, because it writes that file.
    """
    missing = [name for name in REQUIRED_FILES if not (folder / name).is_file()]
    if missing:
        raise PackageError(f"{folder}: missing {', '.join(missing)}")
    info, version = _info(folder), digest(folder)
    proven = proof.load(folder)
    return Package(
        slug=_slug(folder),
        digest=version,
        info=info,
        statement=_text(folder / "statement.md"),
        starter=_text(folder / "starter.py"),
        tests_source=_text(folder / "tests.py"),
        lock=_lock(folder, required=locked),
        editorial=_text(folder / "editorial.md"),
        given=_optional(folder / "given.py"),
        probes=_optional(folder / "probes.py"),
        answers=answers(folder),
        proof=proven if proven is not None and proven.package == version else None,
        pictures=pictures.load(folder, "statement.md", "editorial.md"),
    )


def find(root: Path) -> list[Path]:
    """Return the folders of all challenges in `root`, sorted by path. A challenge's folder is `root`/<section>/<slug>."""
    return sorted(path.parent for path in root.glob("*/*/challenge.toml"))


def digest(folder: Path) -> str:
    """Return the SHA-256 over the paths and contents of all files on which judging or the challenge's page depends. Leaves out
    wrong answers, pictures, gate.toml and gate.lock.
    """
    total = hashlib.sha256()
    for path in _digested(folder):
        content = path.read_bytes()
        total.update(f"{path.relative_to(folder).as_posix()}\0{len(content)}\0".encode())
        total.update(content)
    return total.hexdigest()


def _digested(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        wrong_answer = parts[0] == "submissions" and parts[1:2] != ("accepted",)
        of_the_gate = parts[0] in ("gate.toml", WRONG_ANSWERS) or parts[0].startswith(proof.NAME)
        if path.is_file() and not wrong_answer and not of_the_gate and not is_left_out(parts):
            yield path


def is_left_out(parts: Iterable[str]) -> bool:
    """Return whether the digest leaves out a path. Leaves out hidden files and folders, __pycache__, and pictures.

    The digest need not cover pictures: they do not affect judging, and a changed picture gets another URL, because the URL
    contains a hash of the content.
    """
    return any(part.startswith(".") or part in ("__pycache__", pictures.FOLDER) for part in parts)


def _slug(folder: Path) -> str:
    if not SLUG.fullmatch(folder.name):
        raise PackageError(f"{folder}: a slug is lower-case words joined by '-', for example 'layer-norm'")
    return folder.name


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise PackageError(f"{path}: not UTF-8 at byte {error.start}; save the file as UTF-8") from None


def _optional(path: Path) -> str:
    return _text(path) if path.is_file() else ""


def _info(folder: Path) -> Info:
    path = folder / "challenge.toml"
    try:
        info = msgspec.toml.decode(_text(path).encode(), type=Info)
    except msgspec.MsgspecError as error:
        raise PackageError(f"{path}: {error}") from None
    if info.section != folder.parent.name:
        raise PackageError(f"{path}: section is {info.section!r} but the folder lies in {folder.parent.name!r}")
    if not info.entry:
        raise PackageError(f"{path}: at least one [[entry]] is needed: what must the answer define?")
    for entry in info.entry:
        _check_signature(path, entry)
    return info


def _check_signature(path: Path, entry: Entry) -> None:
    """Raise `PackageError` unless the signature has the form `name(parameters)`, as in a `def` statement."""
    try:
        head = ast.parse(f"def {entry.signature.partition('->')[0].strip()}: ...").body[0]
    except SyntaxError:
        head = None
    if not isinstance(head, ast.FunctionDef) or head.name != entry.name:
        raise PackageError(
            f"{path}: signature of {entry.name!r} must look like '{entry.name}(x, y=None)', not {entry.signature!r}"
        )


def _lock(folder: Path, *, required: bool) -> Lock:
    path = folder / "tests.lock"
    if not path.is_file():
        if required:
            raise PackageError(f"{path}: missing; write it with `gradus challenge lock {folder.name}`")
        return Lock(tests=())
    try:
        return msgspec.json.decode(path.read_bytes(), type=Lock)
    except msgspec.MsgspecError as error:
        raise PackageError(f"{path}: {error}; write it again with `gradus challenge lock`") from None
