"""What mock interviews look like over HTTP."""

import json
from datetime import datetime
from typing import Annotated, Literal, cast

from pydantic import BaseModel, ConfigDict, Field

from api.catalogue.schemas import Word
from api.catalogue.service import Catalogue
from api.interviews.draw import Kind, Level, Wish
from api.interviews.models import Interview
from api.interviews.results import Result, State, percent
from api.quizzes.schemas import QuestionView, question_view
from api.submissions.schemas import VerdictName
from api.topics.schemas import TopicLink


class NewInterview(BaseModel):
    """Level, length and focus. `sections` or `track`, or neither for everything. The same number of a `draw` draws the same
    again, as long as the catalogue and what you have done are the same.
    """

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"level": "mid", "minutes": 45, "sections": ["autograd"]}}
    )
    level: Level
    minutes: Literal[30, 45, 60]
    sections: Annotated[list[Word], Field(max_length=30)] = []
    track: Word = ""
    draw: Annotated[int, Field(strict=True, ge=0, lt=2**31)] | None = None

    @property
    def wish(self) -> Wish:
        """As the draw wants it."""
        return Wish(self.level, self.minutes, tuple(sorted(set(self.sections))), self.track)


class InterviewCard(BaseModel):
    """An interview in a list. `ended_at` is null while it runs; `percent` of what could be earned, each item by its minutes."""

    id: str
    level: Level
    minutes: int
    sections: list[str]
    track: str
    started_at: datetime
    deadline: datetime
    ended_at: datetime | None
    questions: int
    challenges: int
    percent: int


class InterviewPage(BaseModel):
    """One page of interviews, newest first; `next_cursor` is null on the last page."""

    items: list[InterviewCard]
    next_cursor: str | None


class ItemView(BaseModel):
    """A question (answered at its `attempt`) or a challenge (submitted by its `slug`), and what came of it.

    `share` of its `minutes` is earned, 0 to 1; `seconds` passed before its answers; `gone`: it is not in the catalogue any more.
    """

    kind: Kind
    title: str
    minutes: int
    state: State
    share: float
    seconds: float
    tries: int
    slug: str
    topic: str
    attempt: str | None
    question: QuestionView | None
    verdict: VerdictName | None
    gone: bool


class InterviewView(InterviewCard):
    """An interview with its items. `now` is the server's clock, which decides; `revise` names the topics of what was not right,
    once it has ended.
    """

    now: datetime
    draw: int
    items: list[ItemView]
    revise: list[TopicLink]


def interview_card(interview: Interview, results: list[Result], moment: datetime) -> InterviewCard:
    """The card of an interview."""
    over = interview.end <= moment
    return InterviewCard(
        id=interview.id,
        level=cast(Level, interview.level),
        minutes=interview.minutes,
        sections=json.loads(interview.sections),
        track=interview.track,
        started_at=interview.started_at,
        deadline=interview.deadline,
        ended_at=interview.end if over else None,
        questions=sum(result.item.kind == "question" for result in results),
        challenges=sum(result.item.kind == "challenge" for result in results),
        percent=percent(results),
    )


def interview_view(
    interview: Interview, results: list[Result], catalogue: Catalogue, moment: datetime
) -> InterviewView:
    """An interview as its owner sees it; once it has ended, with what to revise."""
    card = interview_card(interview, results, moment)
    return InterviewView(
        **card.model_dump(),
        now=moment,
        draw=interview.seed,
        items=[_view(result, catalogue) for result in results],
        revise=_revise(results, catalogue) if card.ended_at else [],
    )


def _view(result: Result, catalogue: Catalogue) -> ItemView:
    return _challenge(result, catalogue) if result.item.kind == "challenge" else _question(result, catalogue)


def _challenge(result: Result, catalogue: Catalogue) -> ItemView:
    found = catalogue.by_slug.get(result.item.name)
    title = found.package.info.title if found else result.item.name
    return _item(result, title=title, slug=result.item.name, gone=found is None)


def _question(result: Result, catalogue: Catalogue) -> ItemView:
    topic, attempt = catalogue.topics.get(result.item.topic), result.attempt
    quiz = topic.quiz if topic else None
    same = quiz is not None and attempt is not None and quiz.digest == attempt.digest
    asked = quiz.question(result.item.name) if quiz is not None and same else None
    view = question_view(asked, attempt.id, result.mark) if asked and attempt else None
    title = topic.info.title if topic else result.item.topic
    return _item(result, title=title, question=view, gone=view is None)


def _item(result: Result, *, title: str, gone: bool, slug: str = "", question: QuestionView | None = None) -> ItemView:
    item = result.item
    return ItemView(
        kind="challenge" if slug else "question",
        title=title,
        minutes=item.minutes,
        state=result.state,
        share=round(result.share, 4),
        seconds=round(result.seconds, 1),
        tries=result.tries,
        slug=slug,
        topic=item.topic,
        attempt=item.attempt_id,
        question=question,
        verdict=cast(VerdictName | None, result.verdict),
        gone=gone,
    )


def _revise(results: list[Result], catalogue: Catalogue) -> list[TopicLink]:
    missed = [result.item for result in results if result.state != "right"]
    slugs = {item.name for item in missed if item.kind == "challenge"}
    names = {item.topic for item in missed}
    return [
        TopicLink(id=topic.id, title=topic.info.title)
        for topic in catalogue.topics.values()
        if topic.id in names or slugs & set(topic.info.challenges)
    ]
