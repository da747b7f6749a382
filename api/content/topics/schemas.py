"""The public parts of topics and tracks. There is deliberately no field for the answer keys of quizzes."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints

from api.content.catalogue.catalogue import Catalogue
from api.content.catalogue.linking import linked
from api.content.catalogue.schemas import ChallengeCard, Difficulty, Word, card
from api.kit.text import CleanText
from grader.content.quizzes.quiz import Predict
from grader.content.topic import Topic
from grader.content.track import Track

Name = Annotated[str, StringConstraints(max_length=100), CleanText]


class WantedTopics(BaseModel):
    """Filters of the list of topics. A filter that is left out does not apply."""

    model_config = ConfigDict(extra="forbid")
    section: Word = ""
    q: Word = ""


class TopicCard(BaseModel):
    """A topic in a list. `questions` is the number of questions in its quiz. `forms` is empty for a topic without a quiz.
    Otherwise it contains `quiz`, and also `predict` if some questions ask for the result of a code snippet.
    """

    id: str
    title: str
    section: str
    difficulty: Difficulty
    purpose: str
    challenges: list[str]
    questions: int
    forms: list[Literal["quiz", "predict"]]


class TopicList(BaseModel):
    """All topics that match, ordered by section, difficulty and title."""

    items: list[TopicCard]
    total: int


class PitfallView(BaseModel):
    """A common mistake: the wrong code, the right code, and the explanation `why`. `raises` is the exception that the wrong
    code raises, or an empty string if it raises none.
    """

    title: str
    wrong: str
    right: str
    why: str
    raises: str


class VersionNoteView(BaseModel):
    """A change in torch, and the version that introduced it."""

    since: str
    note: str


class FlashCard(BaseModel):
    """A card for revision."""

    front: str
    back: str


class TopicLink(BaseModel):
    """A link to another topic."""

    id: str
    title: str


class TopicView(TopicCard):
    """A topic's page with everything that belongs to it."""

    digest: str
    why: str
    skill: str
    answer: str
    phrasings: list[str]
    review: list[str]
    page: str
    pitfalls: list[PitfallView]
    versions: list[VersionNoteView]
    cards: list[FlashCard]
    items: list[ChallengeCard]
    points: int
    related: list[TopicLink]
    tracks: list[TopicLink]


class TrackCard(BaseModel):
    """A track in a list. `challenges` leaves out those that only optional stages contain. `steps` are the slugs of the
    challenges of a track that is a project, in order. It is empty for every other track.
    """

    id: str
    title: str
    summary: str
    scope: str
    topics: int
    challenges: int
    steps: list[str]
    questions: int


class TrackList(BaseModel):
    """All tracks."""

    items: list[TrackCard]


class StageView(BaseModel):
    """A stage of a track. The challenges of an optional stage do not count towards the progress in the track."""

    title: str
    optional: bool
    topics: list[TopicCard]


class ReviewView(BaseModel):
    """What to review about one topic at the end of a track: its lines in the review checklist, and its cards."""

    id: str
    title: str
    lines: list[str]
    cards: list[FlashCard]


class TrackView(TrackCard):
    """A track: its stages in order, and what to review at the end of the track."""

    prerequisites: list[TopicLink]
    stages: list[StageView]
    review: list[ReviewView]


def topic_card(topic: Topic) -> TopicCard:
    info = topic.info
    return TopicCard(
        id=topic.id,
        title=info.title,
        section=info.section,
        difficulty=info.difficulty,
        purpose=info.purpose,
        challenges=list(info.challenges),
        questions=len(topic.quiz.questions) if topic.quiz else 0,
        forms=_forms(topic),
    )


def topic_view(topic: Topic, catalogue: Catalogue) -> TopicView:
    """Return the public view of a topic."""
    info = topic.info
    return TopicView(
        **topic_card(topic).model_dump(),
        digest=topic.digest,
        why=info.why,
        skill=info.skill,
        answer=info.answer,
        phrasings=list(info.phrasings),
        review=list(info.review),
        page=linked(topic.page, f"topics/{topic.id}", topic.pictures),
        pitfalls=[PitfallView.model_validate(each, from_attributes=True) for each in info.pitfall],
        versions=[VersionNoteView.model_validate(each, from_attributes=True) for each in info.version],
        cards=_cards(topic),
        items=[card(catalogue.by_slug[slug]) for slug in info.challenges],
        points=topic.quiz.points if topic.quiz else 0,
        related=[_link(catalogue.topics[name]) for name in info.related if name in catalogue.topics],
        tracks=[
            TopicLink(id=track.id, title=track.info.title)
            for track in catalogue.tracks.values()
            if topic.id in track.topics
        ],
    )


def track_card(track: Track, catalogue: Catalogue) -> TrackCard:
    topics = [catalogue.topics[name] for name in track.topics]
    challenges = catalogue.challenges_of(track)
    return TrackCard(
        id=track.id,
        title=track.info.title,
        summary=track.info.summary,
        scope=track.info.scope,
        topics=len(topics),
        challenges=len(challenges),
        steps=challenges if track.info.project else [],
        questions=sum(len(topic.quiz.questions) for topic in topics if topic.quiz),
    )


def track_view(track: Track, catalogue: Catalogue) -> TrackView:
    """Return the public view of a track."""
    topics = catalogue.topics
    before = [catalogue.tracks[name] for name in track.info.prerequisites if name in catalogue.tracks]
    return TrackView(
        **track_card(track, catalogue).model_dump(exclude={"topics"}),
        topics=len(track.topics),
        prerequisites=[TopicLink(id=each.id, title=each.info.title) for each in before],
        stages=[
            StageView(
                title=stage.title,
                optional=stage.optional,
                topics=[topic_card(topics[name]) for name in stage.topics],
            )
            for stage in track.info.stage
        ],
        review=[
            ReviewView(
                id=name,
                title=topics[name].info.title,
                lines=list(topics[name].info.review),
                cards=_cards(topics[name]),
            )
            for name in track.topics
        ],
    )


def _forms(topic: Topic) -> list[Literal["quiz", "predict"]]:
    if topic.quiz is None:
        return []
    return ["quiz", "predict"] if any(isinstance(each, Predict) for each in topic.quiz.questions) else ["quiz"]


def _cards(topic: Topic) -> list[FlashCard]:
    return [FlashCard(front=each.front, back=each.back) for each in topic.info.card]


def _link(topic: Topic) -> TopicLink:
    return TopicLink(id=topic.id, title=topic.info.title)
