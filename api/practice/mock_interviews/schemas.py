"""Request and response bodies of mock interviews."""

import json
from datetime import datetime
from typing import Annotated, Literal, cast

from pydantic import BaseModel, ConfigDict, Field

from api.content.catalogue.catalogue import Catalogue
from api.content.catalogue.schemas import Word
from api.content.topics.schemas import TopicLink
from api.judging.intake.schemas import VerdictName
from api.practice.mock_interviews.draw import Kind, Level, Preferences
from api.practice.mock_interviews.results import Result, State, percent
from api.practice.quizzes.schemas import QuestionView, question_view
from api.practice.running_interviews.models import Interview


class NewInterview(BaseModel):
    """The level, length and topics of an interview. Choose topics with `sections` or with `track`; without either, all topics
    are used. The same `draw` number draws the same items again, as long as your choices, the catalogue and what you have
    practised have not changed.
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
    def preferences(self) -> Preferences:
        """The preferences in the form that `draw` takes."""
        return Preferences(self.level, self.minutes, tuple(sorted(set(self.sections))), self.track)


class InterviewCard(BaseModel):
    """An interview in a list. `ended_at` is null while the interview runs. `percent` is the earned part of the full mark, in
    percent; items are weighted by their planned minutes.
    """

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
    """An item and its result. The item is either a question, which you answer in the quiz attempt with the ID `attempt`, or the
    challenge with this `slug`.

    `share` is the earned part of the full mark, from 0 to 1. `seconds` is the time that you spent on the item. `gone` says
    whether it can no longer be shown, because it was removed from the catalogue since the interview began or, for a question,
    because its quiz was changed.
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
    """An interview with its items. `now` is the server's time, which decides when the interview ends. After the interview has
    ended, `revise` contains the topics of the items that you did not get right.
    """

    now: datetime
    draw: int
    items: list[ItemView]
    revise: list[TopicLink]


def interview_card(interview: Interview, results: list[Result], moment: datetime) -> InterviewCard:
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
    """Build the view of an interview for its owner. After the interview has ended, the view includes the topics to revise."""
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
