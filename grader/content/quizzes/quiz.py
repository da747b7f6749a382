"""Reads and validates a topic's quiz, quiz.toml. This module does not import torch and does not run snippets.

There are five kinds of questions. The key `covers` of a question contains ids of interview questions in syllabus.toml. A
candidate who gets the quiz question right can also answer these. Authors do not write the right answers of `predict` questions:
the authoring gate runs each snippet in a cell and writes its result to quiz.lock. The format is described in
challenges/docs/topics.md.
"""

import hashlib
import json
from pathlib import Path

import msgspec

from grader.content.quizzes.predictions import Ask
from grader.contract.errors import PackageError

MOST_CHOICES = 12


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base class of the structs of quizzes, topics and tracks. The structs are frozen and reject unknown keys."""


class Option(Part, frozen=True):
    """One option of a choice question. A wrong option has a reason, which is shown to candidates who choose the option."""

    text: str
    right: bool = False
    reason: str = ""


class Pair(Part, frozen=True):
    """A left side and a right side of a `Match` question that belong together."""

    left: str
    right: str


class Slip(Part, frozen=True):
    """A common wrong answer. `reason` is shown to candidates who give this answer, and says what they have missed."""

    answer: str
    reason: str


class Choice(Part, frozen=True, tag="choice", tag_field="kind"):
    """A question with options. If one option is right, candidates choose one. If several are right, they must choose all of
    them.
    """

    id: str
    prompt: str
    explanation: str
    option: tuple[Option, ...]
    points: int = 1
    covers: tuple[str, ...] = ()

    @property
    def single(self) -> bool:
        """Whether exactly one option is right."""
        return sum(option.right for option in self.option) == 1


class Match(Part, frozen=True, tag="match", tag_field="kind"):
    """A question in which candidates match each left side with its right side. Distractors are right sides that match no left
    side.
    """

    id: str
    prompt: str
    explanation: str
    pair: tuple[Pair, ...]
    distractors: tuple[str, ...] = ()
    points: int = 1
    covers: tuple[str, ...] = ()


class Order(Part, frozen=True, tag="order", tag_field="kind"):
    """A question in which candidates put steps in order. `steps` is in the right order."""

    id: str
    prompt: str
    explanation: str
    steps: tuple[str, ...]
    points: int = 1
    covers: tuple[str, ...] = ()


class Numeric(Part, frozen=True, tag="numeric", tag_field="kind"):
    """A question that asks for a number. An answer is right if it differs from `value` by at most `tolerance`.

    If the number is the result of a random experiment, `simulation` is code that runs the experiment and assigns its result to
    `value`. The gate runs this code with several seeds, and reports a finding if a result is not within the tolerance.
    """

    id: str
    prompt: str
    explanation: str
    value: float
    tolerance: float = 0.0
    unit: str = ""
    simulation: str = ""
    slip: tuple[Slip, ...] = ()
    points: int = 1
    covers: tuple[str, ...] = ()


class Predict(Part, frozen=True, tag="predict", tag_field="kind"):
    """A question about the result of running a snippet. It asks for the shape, the dtype or the value of the expression `of`
    after the snippet has run, or for the exception that the snippet raises.
    """

    id: str
    code: str
    ask: Ask
    explanation: str
    of: str = ""
    prompt: str = ""
    slip: tuple[Slip, ...] = ()
    points: int = 1
    covers: tuple[str, ...] = ()


Question = Choice | Match | Order | Numeric | Predict
Keys = dict[str, str]


class Sheet(Part, frozen=True):
    """The content of quiz.toml."""

    question: tuple[Question, ...]


class KeyLock(Part, frozen=True):
    """The content of quiz.lock. `keys` maps the id of each predict question to its computed answer, as text. `quiz` is the
    SHA-256 of the quiz.toml from which the answers were computed.
    """

    quiz: str
    torch: str
    keys: Keys


class Quiz(msgspec.Struct, frozen=True):
    """A validated quiz. `keys` maps the id of each predict question to its computed answer."""

    questions: tuple[Question, ...]
    keys: Keys

    def question(self, wanted: str) -> Question | None:
        """Return the question with this id, or None if there is none."""
        return next((question for question in self.questions if question.id == wanted), None)

    @property
    def digest(self) -> str:
        """The SHA-256 of questions and keys, which identifies this version."""
        return hashlib.sha256(msgspec.json.encode([self.questions, sorted(self.keys.items())])).hexdigest()

    @property
    def covers(self) -> set[str]:
        """The ids of the interview questions that the quiz covers."""
        return {each for question in self.questions for each in question.covers}

    @property
    def points(self) -> int:
        """The sum of the points of all questions."""
        return sum(question.points for question in self.questions)


def load(folder: Path, *, locked: bool = True) -> Quiz | None:
    """Return a topic's quiz, or None if the topic has none. Raises `PackageError` if the quiz is invalid; the message names the
    file, the question and what to write.

    With `locked=False`, the keys are not read. The authoring gate uses this, because it computes the keys itself.
    """
    path = folder / "quiz.toml"
    if not path.is_file():
        return None
    sheet = _sheet(path)
    predicts = [question for question in sheet.question if isinstance(question, Predict)]
    return Quiz(sheet.question, _keys(path, predicts) if locked and predicts else {})


def write_lock(folder: Path, torch: str, keys: Keys) -> None:
    """Write quiz.lock next to the quiz.toml from which `keys` were computed. `torch` is the version of torch."""
    lock = KeyLock(_digest(folder / "quiz.toml"), torch, keys)
    (folder / "quiz.lock").write_text(json.dumps(msgspec.to_builtins(lock), indent=1) + "\n", encoding="utf-8")


def _sheet(path: Path) -> Sheet:
    try:
        sheet = msgspec.toml.decode(path.read_bytes(), type=Sheet)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise PackageError(f"{path}: {error}") from None
    if not sheet.question:
        raise PackageError(f"{path}: at least one [[question]] is needed, or no quiz.toml at all")
    ids = [question.id for question in sheet.question]
    for question in sheet.question:
        if ids.count(question.id) > 1:
            raise PackageError(f"{path}: two questions have the id {question.id!r}; ids are unique and never change")
        if complaint := _complaint(question):
            raise PackageError(f"{path}: question {question.id!r}: {complaint}")
    return sheet


def _complaint(question: Question) -> str:
    """Return a message to the author that says what is wrong with a question, or an empty text if nothing is wrong."""
    if not question.explanation.strip():
        return "explanation is empty: say why, it is shown after the answer"
    if question.points < 1:
        return f"points must be at least 1, not {question.points}"
    match question:
        case Choice():
            return _choice(question)
        case Match():
            sides = [*(pair.left for pair in question.pair)], [*(pair.right for pair in question.pair)]
            return _several(sides[0], "pairs") or _distinct([*sides[1], *question.distractors]) or _distinct(sides[0])
        case Order():
            return _several(question.steps, "steps") or _distinct(question.steps)
        case Numeric():
            return "tolerance must not be negative" if question.tolerance < 0 else ""
        case Predict():
            return _predict(question)


def _choice(question: Choice) -> str:
    if complaint := _several([option.text for option in question.option], "options"):
        return complaint
    if not any(option.right for option in question.option):
        return "no option has right = true"
    for option in question.option:
        if not option.right and not option.reason:
            return f"the wrong option {option.text!r} needs a reason: what would somebody who picks it have missed?"
        if option.right and option.reason:
            return f"the right option {option.text!r} has a reason; say it in explanation"
    return _distinct([option.text for option in question.option])


def _predict(question: Predict) -> str:
    if question.ask == "error" and question.of:
        return "ask = 'error' takes no `of`: the question is what the whole code raises"
    if question.ask != "error" and not question.of:
        return f"`of` is missing: the expression whose {question.ask} is asked for"
    if not question.slip:
        return "needs at least one [[question.slip]]: the wrong answer you expect, and its reason"
    return ""


def _several(items: tuple[str, ...] | list[str], what: str) -> str:
    return "" if 2 <= len(items) <= MOST_CHOICES else f"has {len(items)} {what}; 2 to {MOST_CHOICES} are sensible"


def _distinct(items: tuple[str, ...] | list[str]) -> str:
    return "" if len(set(items)) == len(items) else "says the same thing twice"


def _keys(path: Path, predicts: list[Predict]) -> Keys:
    lock = path.with_name("quiz.lock")
    again = f"run `gradus challenge lock {path.parent.name}`"
    if not lock.is_file():
        raise PackageError(f"{lock}: missing, so nobody knows what the snippets give: {again}")
    try:
        read = msgspec.json.decode(lock.read_bytes(), type=KeyLock)
    except msgspec.MsgspecError as error:
        raise PackageError(f"{lock}: {error}; {again}") from None
    if read.quiz != _digest(path) or {question.id for question in predicts} - read.keys.keys():
        raise PackageError(f"{lock}: not in step with quiz.toml: {again}")
    return read.keys


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
