"""Reading the catalogue, and reading its folders again."""

import asyncio
from collections.abc import Mapping
from typing import Annotated

import structlog
from fastapi import APIRouter, Path, Query, Request, Response

from api.accounts.identity import Admin, identify
from api.audit import service as audit
from api.audit.service import Acting, Action
from api.caching import NOT_MODIFIED, Has
from api.catalogue.schemas import (
    CatalogueReport,
    ChallengeCard,
    ChallengePage,
    ChallengeView,
    Status,
    Wanted,
    card,
    report,
    view,
)
from api.catalogue.service import LEVELS, Challenge, ChallengeNotFound, Filters
from api.errors import BadCursor, CrossSite, Forbidden, NotSignedIn, TooManyRequests, errors
from api.pagination import decode_cursor, encode_cursor
from api.profiles import deeds
from api.state import State, StateOf
from api.text import CleanText

router = APIRouter(tags=["catalogue"])
log = structlog.get_logger()
SlugInPath = Annotated[str, Path(max_length=100), CleanText]


@router.get(
    "/challenges",
    response_model=ChallengePage,
    responses={**errors(BadCursor, NotSignedIn, TooManyRequests), **NOT_MODIFIED},
)
async def list_challenges(
    wanted: Annotated[Wanted, Query()], request: Request, state: StateOf, reader: Has
) -> ChallengePage | Response:
    """Challenges by section, difficulty and title. `q` looks for all of its words in titles, topics and statements."""
    catalogue = state.shelf.catalogue
    # What is one's own is not the same for everybody: it is told without an ETag.
    if not wanted.status and (same := reader.has(catalogue.version, wanted.model_dump_json())):
        return same
    found = catalogue.search(Filters(wanted.section, wanted.difficulty, wanted.topic, wanted.q))
    if wanted.status:
        known = await _statuses(request, state)
        found = [each for each in found if known.get(each.package.slug, "new") == wanted.status]
    rest = _after(found, wanted.cursor)
    page = [card(challenge) for challenge in rest[: wanted.limit]]
    return ChallengePage(items=page, total=len(found), next_cursor=_cursor(page[-1]) if len(rest) > len(page) else None)


@router.get("/challenges/{slug}", response_model=ChallengeView, responses={**errors(ChallengeNotFound), **NOT_MODIFIED})
async def get_challenge(slug: SlugInPath, state: StateOf, reader: Has) -> ChallengeView | Response:
    """A challenge: statement, starter, entry points, limits and the sample tests."""
    challenge = state.shelf.catalogue.get(slug)
    return reader.has(challenge.package.digest) or view(challenge)


@router.get("/admin/catalogue", response_model=CatalogueReport, responses=errors(NotSignedIn, Forbidden))
async def get_catalogue_report(_: Admin, state: StateOf) -> CatalogueReport:
    """How many challenges are served, and which folders were left out and why."""
    return report(state.shelf.catalogue)


@router.post(
    "/admin/catalogue/reload", response_model=CatalogueReport, responses=errors(CrossSite, NotSignedIn, Forbidden)
)
async def reload_catalogue(actor: Acting, state: StateOf) -> CatalogueReport:
    """Read the challenge folders again; readers see the old catalogue until the new one is complete."""
    catalogue = await asyncio.to_thread(state.shelf.reload)
    found = {"challenges": len(catalogue.challenges), "left_out": len(catalogue.left_out)}
    log.info("catalogue_read", **found)
    async with state.db.write() as session:
        audit.record(session, actor, Action.RELOAD, catalogue.version, **found)
    return report(catalogue)


async def _statuses(request: Request, state: State) -> Mapping[str, Status]:
    """What the caller has tried or solved; nothing, if he is nobody."""
    caller = await identify(request, state)
    if caller is None:
        return {}
    async with state.db.read() as session:
        return await deeds.statuses(session, caller.account.id)


def _after(found: list[Challenge], cursor: str) -> list[Challenge]:
    if not cursor:
        return found
    last = decode_cursor(cursor, (str, int, str, str))
    return [challenge for challenge in found if challenge.key > last]


def _cursor(last: ChallengeCard) -> str:
    return encode_cursor(last.section, LEVELS[last.difficulty], last.title, last.slug)
