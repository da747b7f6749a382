"""Reads challenges/syllabus.toml, which lists, by topic, the interview questions that the challenges and quizzes should cover.

The key `covers` of a challenge or quiz question contains the ids of the interview questions that it covers.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from grader.contract.errors import PackageError

NAME = "syllabus.toml"


class SyllabusTopic(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A topic of the syllabus. `questions` contains the ids of the topic's interview questions, and `prompts` the ids of its
    short prompts, which are short interview questions.

    `corrects` contains the ids of errata. An erratum is a mistake in a published list of interview questions, and the topic
    teaches what is right instead.
    """

    id: str
    section: str
    questions: tuple[str, ...]
    prompts: tuple[str, ...] = ()
    corrects: tuple[str, ...] = ()


class Syllabus(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of syllabus.toml. `errata_elsewhere` lists the errata that no topic of the syllabus corrects."""

    topic: tuple[SyllabusTopic, ...]
    errata_elsewhere: tuple[str, ...] = ()

    @property
    def questions(self) -> set[str]:
        """The ids of all questions."""
        return {each for topic in self.topic for each in topic.questions}

    @property
    def prompts(self) -> set[str]:
        """The ids of all short prompts."""
        return {each for topic in self.topic for each in topic.prompts}

    @property
    def errata(self) -> set[str]:
        """The ids of all errata."""
        return {each for topic in self.topic for each in topic.corrects} | set(self.errata_elsewhere)

    def topics_of(self, question: str) -> list[str]:
        """Return the ids of the topics to which an interview question or a short prompt belongs."""
        return [topic.id for topic in self.topic if question in topic.questions or question in topic.prompts]


def load(root: Path) -> Syllabus:
    """Return the syllabus of `root`, the folder of challenges. Raises `PackageError` if it is missing or invalid."""
    path = root / NAME
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Syllabus)
    except FileNotFoundError:
        raise PackageError(f"{path} is missing; it lists the questions that `covers` may name") from None
    except msgspec.MsgspecError as error:
        raise PackageError(f"{path}: {error}") from None


def unknown_questions(folder: Path, covers: Iterable[str]) -> Iterator[str]:
    """Yield the ids in `covers` that syllabus.toml does not contain. Looks for syllabus.toml in the parents of `folder`.

    If there is no syllabus, as for a team's own challenge, no id counts as unknown. Raises `PackageError` if the
    syllabus is invalid.
    """
    wanted = sorted(set(covers))
    root = next((each for each in folder.resolve().parents if (each / NAME).is_file()), None)
    if not wanted or root is None:
        return
    syllabus = load(root)
    known = syllabus.questions | syllabus.prompts
    yield from (each for each in wanted if each not in known)
