"""A challenge folder, read and checked: `challenges/<section>/<slug>/` -> `Package`.

    challenge.toml  statement.md  starter.py  tests.py  tests.lock  editorial.md      required
    given.py  probes.py  quiz.toml  gate.toml (read by the authoring gate alone)      optional
    submissions/accepted/*.py (two at least; the first by name is the reference)  submissions/<verdict>/*.py

Unknown keys are refused and every complaint names the file, the key and what to write. Nothing here imports torch.
"""

import ast
import hashlib
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from grader import pictures, proof
from grader.errors import PackageError
from grader.job import Limits, Verdict
from grader.proof import Proof

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
REQUIRED_FILES = ("challenge.toml", "statement.md", "starter.py", "tests.py", "editorial.md")

Difficulty = Literal["easy", "medium", "hard"]
Form = Literal["write", "fix"]  # fix: the starter is broken code to repair


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the answer must define. `signature` is shown to people and checked by parameter names.

    kind `function`: called by value. `class`: objects stay in the cell, `methods` and `attributes` are reachable.
    `module`: a class that must derive from nn.Module (state_dict, train/eval, parameters come with it).
    `autograd_function`: must derive from torch.autograd.Function; reached by `.apply`.
    `returns` = "iterator" lets the test iterate over what a function gives back. `mutates` lets the answer change its
    arguments, and has them written back into the test's own; without it, an argument changed in place fails the test.
    """

    name: str
    kind: Literal["function", "class", "module", "autograd_function"]
    signature: str
    methods: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    returns: Literal["value", "iterator"] = "value"
    mutates: bool = False


class Forbidden(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the answer may not use: dotted names (read in the source) and operators (seen when it runs)."""

    names: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()


class Info(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of challenge.toml."""

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
    application: tuple[str, ...] = ()
    syllabus: tuple[str, ...] = ()
    devices: tuple[Literal["cpu", "cuda"], ...] = ("cpu",)
    scoring: Literal["per-test", "all-or-nothing"] = "per-test"
    limits: Limits = Limits()
    forbidden: Forbidden = Forbidden()


class TestSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A declared test. `id` is pytest's node id without the file; `title` is the author's sentence."""

    id: str
    title: str
    points: int
    sample: bool = False
    attested: bool = False


class Lock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """tests.lock: written by the authoring gate, never by hand. `seeds` is the secret pool that was proven."""

    tests: tuple[TestSpec, ...]
    seeds: tuple[int, ...]

    def draw(self) -> int:
        """A seed of the pool; 0 while there is none."""
        return random.SystemRandom().choice(self.seeds) if self.seeds else 0


class Answer(msgspec.Struct, frozen=True):
    """A file under submissions/: the folder says the verdict, the first line of a wrong one names the test."""

    name: str
    verdict: Verdict
    source: str
    caught_by: str = ""


class Package(msgspec.Struct, frozen=True):
    """A validated challenge. `digest` names this version; it covers every file but the wrong answers and gate.lock.

    `proof` is what the authoring gate found about this very version, None if it has not looked, or has found faults.
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
        """Source of the first accepted answer: `reference` in tests.py."""
        return next(a.source for a in self.answers if a.verdict is Verdict.AC)

    @property
    def max_score(self) -> int:
        """Points of all tests."""
        return sum(t.points for t in self.lock.tests)

    def selected(self, *, samples_only: bool) -> tuple[TestSpec, ...]:
        """The tests of a `run` (samples) or of a `submit` (all)."""
        return tuple(t for t in self.lock.tests if t.sample or not samples_only)


def load(folder: Path, *, locked: bool = True) -> Package:
    """Read one challenge folder. Raises `PackageError` naming file, key and what to write.

    `locked=False` allows a folder whose tests.lock was not written yet (the authoring gate reads it so).
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
        answers=tuple(_answers(folder)),
        proof=proven if proven is not None and proven.package == version else None,
        pictures=pictures.load(folder, "statement.md", "editorial.md"),
    )


def find(root: Path) -> list[Path]:
    """Every challenge folder below `root` (challenges/<section>/<slug>), sorted by path."""
    return sorted(path.parent for path in root.glob("*/*/challenge.toml"))


def digest(folder: Path) -> str:
    """sha256 over path and content of what judging or display depends on: not wrong answers, not the gate's own files."""
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
        of_the_gate = parts[0] == "gate.toml" or parts[0].startswith(proof.NAME)
        if path.is_file() and not wrong_answer and not of_the_gate and not is_left_out(parts):
            yield path


def is_left_out(parts: Iterable[str]) -> bool:
    """Whether a path in a folder belongs to no version of it: what tools leave behind (.ruff_cache), and pictures, which decide
    nothing and are addressed by their own content."""
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
    """A signature is `name(parameters)`, as a def statement has it."""
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
        return Lock(tests=(), seeds=())
    try:
        return msgspec.json.decode(path.read_bytes(), type=Lock)
    except msgspec.MsgspecError as error:
        raise PackageError(f"{path}: {error}; write it again with `gradus challenge lock`") from None


def _answers(folder: Path) -> Iterator[Answer]:
    accepted = sorted((folder / "submissions" / "accepted").glob("*.py"))
    if not accepted:
        raise PackageError(f"{folder}/submissions/accepted: at least one accepted answer is needed")
    for path in sorted(folder.glob("submissions/*/*.py"), key=lambda p: (p.parent.name != "accepted", p)):
        source = _text(path)
        yield Answer(path.name, _verdict(path), source, _caught_by(path, source))


def _verdict(path: Path) -> Verdict:
    if path.parent.name == "accepted":
        return Verdict.AC
    try:
        return Verdict(path.parent.name.upper())
    except ValueError:
        raise PackageError(
            f"{path.parent}: the folder of a wrong answer is its verdict in lower case: wa, re, tle, mle, ole, ce, rv"
        ) from None


def _caught_by(path: Path, source: str) -> str:
    if path.parent.name in ("accepted", "ce", "rv"):
        return ""
    first = source.partition("\n")[0]
    match = re.fullmatch(r"#\s*caught by:?\s*(\S.*?)\s*", first)
    if not match:
        raise PackageError(f"{path}: the first line must be '# caught by: <test id>'")
    return match.group(1)
