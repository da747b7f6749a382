"""Reading the catalogue, and reading its folders again."""

import asyncio
import hashlib
from typing import Annotated, Any

import structlog
from fastapi import APIRouter, Header, Path, Query, Response, status

from api import VERSION
from api.accounts.identity import Admin
from api.catalogue.schemas import (
    CatalogueReport,
    ChallengeCard,
    ChallengePage,
    ChallengeView,
    Wanted,
    card,
    report,
    view,
)
from api.catalogue.service import LEVELS, Challenge, ChallengeNotFound, Filters
from api.errors import BadCursor, CrossSite, Forbidden, NotSignedIn, errors
from api.pagination import decode_cursor, encode_cursor
from api.state import StateOf
from api.text import CleanText

router = APIRouter(tags=["catalogue"])
log = structlog.get_logger()
IfNoneMatch = Annotated[str | None, Header(description="An ETag from before; answers 304 while it still holds.")]
SlugInPath = Annotated[str, Path(max_length=100), CleanText]
NOT_MODIFIED: dict[int | str, dict[str, Any]] = {304: {"description": "What you have is still right."}}


@router.get("/challenges", response_model=ChallengePage, responses={**errors(BadCursor), **NOT_MODIFIED})
async def list_challenges(
    wanted: Annotated[Wanted, Query()], state: StateOf, response: Response, if_none_match: IfNoneMatch = None
) -> ChallengePage | Response:
    """Challenges by section, difficulty and title. `q` looks for all of its words in titles, topics and statements."""
    catalogue = state.shelf.catalogue
    etag = _etag(catalogue.version, wanted.model_dump_json())
    if _matches(if_none_match, etag):
        return _unchanged(etag)
    found = catalogue.search(Filters(wanted.section, wanted.difficulty, wanted.topic, wanted.q))
    rest = _after(found, wanted.cursor)
    page = [card(challenge) for challenge in rest[: wanted.limit]]
    _mark(response, etag)
    return ChallengePage(items=page, total=len(found), next_cursor=_cursor(page[-1]) if len(rest) > len(page) else None)


@router.get("/challenges/{slug}", response_model=ChallengeView, responses={**errors(ChallengeNotFound), **NOT_MODIFIED})
async def get_challenge(
    slug: SlugInPath, state: StateOf, response: Response, if_none_match: IfNoneMatch = None
) -> ChallengeView | Response:
    """A challenge: statement, starter, entry points, limits, hints and the sample tests."""
    challenge = state.shelf.catalogue.get(slug)
    etag = _etag(challenge.package.digest)
    if _matches(if_none_match, etag):
        return _unchanged(etag)
    _mark(response, etag)
    return view(challenge)


@router.get("/admin/catalogue", response_model=CatalogueReport, responses=errors(NotSignedIn, Forbidden))
async def get_catalogue_report(_: Admin, state: StateOf) -> CatalogueReport:
    """How many challenges are served, and which folders were left out and why."""
    return report(state.shelf.catalogue)


@router.post(
    "/admin/catalogue/reload", response_model=CatalogueReport, responses=errors(CrossSite, NotSignedIn, Forbidden)
)
async def reload_catalogue(_: Admin, state: StateOf) -> CatalogueReport:
    """Read the challenge folders again; readers see the old catalogue until the new one is complete."""
    catalogue = await asyncio.to_thread(state.shelf.reload)
    log.info("catalogue_read", challenges=len(catalogue.challenges), left_out=len(catalogue.left_out))
    return report(catalogue)


def _after(found: list[Challenge], cursor: str) -> list[Challenge]:
    if not cursor:
        return found
    last = decode_cursor(cursor, (str, int, str, str))
    return [challenge for challenge in found if challenge.key > last]


def _cursor(last: ChallengeCard) -> str:
    return encode_cursor(last.section, LEVELS[last.difficulty], last.title, last.slug)


def _etag(*parts: str) -> str:
    return f'"{hashlib.sha256(chr(0).join((VERSION, *parts)).encode()).hexdigest()[:24]}"'


def _matches(if_none_match: str | None, etag: str) -> bool:
    given = [part.strip().removeprefix("W/") for part in (if_none_match or "").split(",")]
    return etag in given or given == ["*"]


def _mark(response: Response, etag: str) -> None:
    response.headers.update({"ETag": etag, "Cache-Control": "no-cache"})


def _unchanged(etag: str) -> Response:
    return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers={"ETag": etag, "Cache-Control": "no-cache"})
