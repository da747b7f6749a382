"""Searching."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from api.caching import NOT_MODIFIED, Has
from api.errors import errors
from api.search.schemas import SearchResults, WantedText, found_view
from api.state import StateOf

router = APIRouter(tags=["catalogue"])


@router.get("/search", response_model=SearchResults, responses={**errors(), **NOT_MODIFIED})
async def search(wanted: Annotated[WantedText, Query()], state: StateOf, reader: Has) -> SearchResults | Response:
    """Challenges, topics, quizzes and tracks by words, in any order, of all that their pages say; error messages too. Of the
    last word its beginning is enough, and small slips are forgiven.
    """
    catalogue = state.shelf.catalogue
    if same := reader.has(catalogue.version, wanted.model_dump_json()):
        return same
    hits = (await state.finder.index(catalogue)).search(wanted.q)
    return SearchResults(items=[found_view(hit) for hit in hits[: wanted.limit]], total=len(hits))
