"""Reads and validates a topic's folder: `challenges/topics/<section>/<id>/` -> `Topic`.

The format is described in challenges/docs/topics.md.

Unknown keys are rejected, and every error names the file, the key and what to write. This module does not import torch.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from grader.content import pictures, proof
from grader.content.package import SLUG, Difficulty
from grader.content.quizzes import quiz
from grader.content.quizzes.quiz import Part, Quiz
from grader.contract.errors import PackageError

LEAST = {"phrasings": 2, "review": 2, "pitfall": 2, "card": 2}


class Pitfall(Part, frozen=True):
    """A common mistake, shown as wrong code next to right code. `raises` is the name of the exception that the wrong code
    raises, or empty if it raises none.
    """

    title: str
    wrong: str
    right: str
    why: str
    raises: str = ""


class VersionNote(Part, frozen=True):
    """A change in torch that concerns the topic. `since` is the version of torch that introduced the change."""

    since: str
    note: str


class Card(Part, frozen=True):
    """A flash card for revision: a question on the front, and its answer on the back."""

    front: str
    back: str


class TopicInfo(Part, frozen=True):
    """The content of topic.toml."""

    title: str
    section: str
    difficulty: Difficulty
    purpose: str
    why: str
    skill: str
    answer: str
    phrasings: tuple[str, ...]
    review: tuple[str, ...]
    pitfall: tuple[Pitfall, ...]
    card: tuple[Card, ...]
    challenges: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    syllabus: tuple[str, ...] = ()
    corrects: tuple[str, ...] = ()
    version: tuple[VersionNote, ...] = ()


class Topic(msgspec.Struct, frozen=True):
    """A validated topic. `digest` is a hash of its files, which identifies this version."""

    id: str
    digest: str
    info: TopicInfo
    page: str
    quiz: Quiz | None
    pictures: dict[str, bytes] = {}


def find(root: Path) -> list[Path]:
    """Return the folders of all topics in `root`, the folder of challenges, sorted by path."""
    return sorted(path.parent for path in root.glob("topics/*/*/topic.toml"))


def load(folder: Path, *, locked: bool = True) -> Topic:
    """Read one topic. Raises `PackageError` if it is invalid; the message names the file, the key and what to write.

    With `locked=False`, quiz.lock is optional. The authoring gate uses this, because it writes that file.
    """
    if not SLUG.fullmatch(folder.name):
        raise PackageError(f"{folder}: a topic's id is lower-case words joined by '-', for example 'layer-norm'")
    info = _info(folder)
    page = _text(folder / "page.md")
    questions = quiz.load(folder, locked=locked)
    if not info.challenges and questions is None:
        raise PackageError(f"{folder}: nothing to do: name challenges in topic.toml or write a quiz.toml")
    return Topic(folder.name, digest(folder), info, page, questions, pictures.load(folder, "page.md"))


def _info(folder: Path) -> TopicInfo:
    path = folder / "topic.toml"
    try:
        info = msgspec.toml.decode(_text(path).encode(), type=TopicInfo)
    except msgspec.MsgspecError as error:
        raise PackageError(f"{path}: {error}") from None
    if info.section != folder.parent.name:
        raise PackageError(f"{path}: section is {info.section!r} but the folder lies in {folder.parent.name!r}")
    for complaint in _complaints(info):
        raise PackageError(f"{path}: {complaint}")
    return info


def _complaints(info: TopicInfo) -> Iterator[str]:
    for name, least in LEAST.items():
        if len(getattr(info, name)) < least:
            yield f"{name}: at least {least} are needed, there are {len(getattr(info, name))}"
    for name in ("title", "purpose", "why", "skill", "answer"):
        if not getattr(info, name).strip():
            yield f"{name} is empty"


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise PackageError(f"{path}: missing") from None
    except UnicodeDecodeError as error:
        raise PackageError(f"{path}: not UTF-8 at byte {error.start}; save the file as UTF-8") from None


def digest(folder: Path) -> str:
    """Return the SHA-256 over all files directly in a topic's folder, except gate.lock and hidden files."""
    total = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.is_file() and not path.name.startswith((proof.NAME, ".")):
            total.update(f"{path.name}\0{path.stat().st_size}\0".encode())
            total.update(path.read_bytes())
    return total.hexdigest()
