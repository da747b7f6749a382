"""Reading topics and tracks."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from api.caching import NOT_MODIFIED, Has
from api.catalogue.service import TopicNotFound, TrackNotFound
from api.errors import errors
from api.state import StateOf
from api.text import CleanText
from api.topics.schemas import (
    TopicList,
    TopicView,
    TrackList,
    TrackView,
    WantedTopics,
    topic_card,
    topic_view,
    track_card,
    track_view,
)
from grader.topic import Topic

router = APIRouter(tags=["catalogue"])
TopicId = Annotated[str, Path(max_length=100), CleanText]
TrackId = Annotated[str, Path(max_length=100), CleanText]


@router.get("/topics", response_model=TopicList, responses={**errors(), **NOT_MODIFIED})
async def list_topics(wanted: Annotated[WantedTopics, Query()], state: StateOf, reader: Has) -> TopicList | Response:
    """Topics by section, difficulty and title. `q` looks for all of its words in titles, questions and pages."""
    catalogue = state.shelf.catalogue
    if same := reader.has(catalogue.version, wanted.model_dump_json()):
        return same
    words = wanted.q.casefold().split()
    found = [
        topic
        for topic in catalogue.topics.values()
        if wanted.section in ("", topic.info.section) and all(word in _text(topic) for word in words)
    ]
    return TopicList(items=[topic_card(topic) for topic in found], total=len(found))


@router.get("/topics/{topic_id}", response_model=TopicView, responses={**errors(TopicNotFound), **NOT_MODIFIED})
async def get_topic(topic_id: TopicId, state: StateOf, reader: Has) -> TopicView | Response:
    """A topic: why it is asked, its page, pitfalls, cards and items. Its quiz is shown question by question in an attempt."""
    catalogue = state.shelf.catalogue
    topic = catalogue.topic(topic_id)
    return reader.has(catalogue.version, topic.id) or topic_view(topic, catalogue)


@router.get("/tracks", response_model=TrackList, responses={**errors(), **NOT_MODIFIED})
async def list_tracks(state: StateOf, reader: Has) -> TrackList | Response:
    """All tracks."""
    catalogue = state.shelf.catalogue
    if same := reader.has(catalogue.version):
        return same
    return TrackList(items=[track_card(track, catalogue) for track in catalogue.tracks.values()])


@router.get("/tracks/{track_id}", response_model=TrackView, responses={**errors(TrackNotFound), **NOT_MODIFIED})
async def get_track(track_id: TrackId, state: StateOf, reader: Has) -> TrackView | Response:
    """A track: topics in order, with the review checklist and the cards that come from them."""
    catalogue = state.shelf.catalogue
    track = catalogue.track(track_id)
    return reader.has(catalogue.version, track.id) or track_view(track, catalogue)


def _text(topic: Topic) -> str:
    info = topic.info
    return "\n".join((topic.id, info.title, info.purpose, info.answer, *info.phrasings, topic.page)).casefold()
