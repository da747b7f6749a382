"""What a search finds."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from api.catalogue.schemas import Difficulty
from api.search.documents import Kind, Where
from api.search.service import Hit, excerpt
from api.text import CleanText


class WantedText(BaseModel):
    """What to look for."""

    model_config = ConfigDict(extra="forbid")
    q: Annotated[str, StringConstraints(max_length=300), CleanText] = ""
    limit: Annotated[int, Field(ge=1, le=50)] = 20


class Piece(BaseModel):
    """A piece of an excerpt; `hit` where it is one of the words. It is text, never markup."""

    text: str
    hit: bool


class FoundView(BaseModel):
    """Something that was found. `id` is a challenge's slug, or the id of a topic (also for its quiz) or of a track."""

    kind: Kind
    id: str
    title: str
    section: str
    difficulty: Difficulty | None
    where: Where
    excerpt: list[Piece]


class SearchResults(BaseModel):
    """The best of what was found; `total` counts all."""

    items: list[FoundView]
    total: int


def found_view(hit: Hit) -> FoundView:
    """A hit as it is shown."""
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
