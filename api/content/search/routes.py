"""The route that searches the catalogue."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from api.content.catalogue.service import CatalogueStoreDep
from api.content.search.schemas import SearchResults, WantedText, found_view
from api.content.search.service import SearchIndexCacheDep
from api.kit.errors import errors
from api.kit.http.caching import NOT_MODIFIED, Has

router = APIRouter(tags=["catalogue"])


@router.get("/search", response_model=SearchResults, responses={**errors(), **NOT_MODIFIED})
async def search(
    wanted: Annotated[WantedText, Query()], store: CatalogueStoreDep, search_index: SearchIndexCacheDep, reader: Has
) -> SearchResults | Response:
    """Search challenges, topics, quizzes and tracks. The text may also be an error message. Words may be in any order, the
    last word may be incomplete, and small typing errors are tolerated.
    """
    catalogue = store.catalogue
    if same := reader.has(catalogue.version, wanted.model_dump_json()):
        return same
    hits = (await search_index.index(catalogue)).search(wanted.q)
    return SearchResults(items=[found_view(hit) for hit in hits[: wanted.limit]], total=len(hits))
