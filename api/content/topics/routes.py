"""Routes that return topics and tracks."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from api.content.catalogue.catalogue import TopicNotFound, TrackNotFound
from api.content.catalogue.service import CatalogueStoreDep
from api.content.topics.schemas import (
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
from api.kit.errors import errors
from api.kit.http.caching import NOT_MODIFIED, Has
from api.kit.text import CleanText
from grader.content.topic import Topic

router = APIRouter(tags=["catalogue"])
TopicId = Annotated[str, Path(max_length=100), CleanText]
TrackId = Annotated[str, Path(max_length=100), CleanText]


@router.get("/topics", response_model=TopicList, responses={**errors(), **NOT_MODIFIED})
async def list_topics(
    wanted: Annotated[WantedTopics, Query()], store: CatalogueStoreDep, reader: Has
) -> TopicList | Response:
    """The topics, ordered by section, difficulty and title. If `q` is given, only topics whose title, purpose, answer,
    phrasings and page together contain all words of `q`.
    """
    catalogue = store.catalogue
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
async def get_topic(topic_id: TopicId, store: CatalogueStoreDep, reader: Has) -> TopicView | Response:
    """A topic: why interviewers ask about it, its page, pitfalls, cards, and related items. The questions of its quiz are
    not included; an attempt at the quiz shows them one by one.
    """
    catalogue = store.catalogue
    topic = catalogue.topic(topic_id)
    return reader.has(catalogue.version, topic.id) or topic_view(topic, catalogue)


@router.get("/tracks", response_model=TrackList, responses={**errors(), **NOT_MODIFIED})
async def list_tracks(store: CatalogueStoreDep, reader: Has) -> TrackList | Response:
    """All tracks, without their stages."""
    catalogue = store.catalogue
    if same := reader.has(catalogue.version):
        return same
    return TrackList(items=[track_card(track, catalogue) for track in catalogue.tracks.values()])


@router.get("/tracks/{track_id}", response_model=TrackView, responses={**errors(TrackNotFound), **NOT_MODIFIED})
async def get_track(track_id: TrackId, store: CatalogueStoreDep, reader: Has) -> TrackView | Response:
    """A track: its topics in order, and what to review at its end (a checklist and the cards of these topics)."""
    catalogue = store.catalogue
    track = catalogue.track(track_id)
    return reader.has(catalogue.version, track.id) or track_view(track, catalogue)


def _text(topic: Topic) -> str:
    info = topic.info
    return "\n".join((topic.id, info.title, info.purpose, info.answer, *info.phrasings, topic.page)).casefold()
