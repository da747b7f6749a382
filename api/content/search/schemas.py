"""Requests and responses of the search."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from api.content.catalogue.schemas import Difficulty
from api.content.search.documents import Kind, Where
from api.content.search.service import Hit, excerpt
from api.kit.text import CleanText


class WantedText(BaseModel):
    """The text to search for."""

    model_config = ConfigDict(extra="forbid")
    q: Annotated[str, StringConstraints(max_length=300), CleanText] = ""
    limit: Annotated[int, Field(ge=1, le=1000)] = 20


class Piece(BaseModel):
    """A piece of an excerpt, as plain text. `hit` is true if the piece is a word that matches the search, to be highlighted."""

    text: str
    hit: bool


class FoundView(BaseModel):
    """A search result. `id` is the slug of a challenge, the id of a topic (also for the topic's quiz), or the id of a
    track.
    """

    kind: Kind
    id: str
    title: str
    section: str
    difficulty: Difficulty | None
    where: Where
    excerpt: list[Piece]


class SearchResults(BaseModel):
    """The best results, in order. `total` is the number of all results, which may be larger."""

    items: list[FoundView]
    total: int


def found_view(hit: Hit) -> FoundView:
    document = hit.document
    return FoundView(
        kind=document.kind,
        id=document.id,
        title=document.title,
        section=document.section,
        difficulty=document.difficulty,
        where=document.fields[hit.field].where,
        excerpt=[Piece(text=text, hit=is_word) for text, is_word in excerpt(hit)],
    )
