"""Routes to read the catalogue and to reload it from disk."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Annotated

import structlog
from fastapi import APIRouter, Depends, Query, Request, Response

from api.content.catalogue.catalogue import Catalogue, Challenge, ChallengeNotFound
from api.content.catalogue.filters import Filters, search
from api.content.catalogue.schemas import (
    CatalogueReport,
    CatalogueSummary,
    ChallengeCard,
    ChallengePage,
    ChallengeView,
    Neighbours,
    SlugInPath,
    Status,
    Wanted,
    card,
    neighbours,
    report,
    summary,
    view,
)
from api.content.catalogue.service import CatalogueStoreDep
from api.content.catalogue.topic_folders import LEVELS
from api.identity.audit import service as audit
from api.identity.audit.service import Acting, Action
from api.identity.sessions.current_account import Admin, identify
from api.kit.errors import BadCursor, CrossSite, Forbidden, NotSignedIn, TooManyRequests, errors
from api.kit.http.caching import NOT_MODIFIED, Has
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.practice.profiles import activity

router = APIRouter(tags=["catalogue"])
log = structlog.get_logger()


async def caller_statuses(request: Request, db: DatabaseDep) -> Callable[[], Awaitable[Mapping[str, Status]]]:
    """Return a function that looks up which challenges the caller has tried or solved, by slug. The function returns an empty
    result if nobody is signed in.

    It also finds out who the caller is. A request that does not call it therefore needs no look-up of credentials.
    """

    async def statuses() -> Mapping[str, Status]:
        caller = await identify(request)
        if caller is None:
            return {}
        async with db.read() as session:
            return await activity.statuses(session, caller.account.id)

    return statuses


CallerStatuses = Annotated[Callable[[], Awaitable[Mapping[str, Status]]], Depends(caller_statuses)]


@router.get(
    "/challenges",
    response_model=ChallengePage,
    responses={**errors(BadCursor, NotSignedIn, TooManyRequests), **NOT_MODIFIED},
)
async def list_challenges(
    wanted: Annotated[Wanted, Query()], store: CatalogueStoreDep, statuses: CallerStatuses, reader: Has
) -> ChallengePage | Response:
    """Challenges, ordered by section, difficulty and title. If `q` is given, only challenges whose title, summary, topics,
    statement and other public texts together contain all words of `q`.
    """
    catalogue = store.catalogue
    # If the list is filtered by status, it is different for each caller, so it has no ETag.
    if wanted.status:
        return _page(catalogue, wanted, await statuses())
    build = partial(_page, catalogue, wanted, {})
    return reader.answer(catalogue.bodies, build, catalogue.version, wanted.model_dump_json())


def _page(catalogue: Catalogue, wanted: Wanted, known: Mapping[str, Status]) -> ChallengePage:
    found = search(catalogue, Filters(wanted.section, wanted.difficulty, wanted.topic, wanted.q, wanted.scored))
    if wanted.status:
        found = [each for each in found if known.get(each.package.slug, "new") == wanted.status]
    rest = _after(found, wanted.cursor)
    page = [card(challenge) for challenge in rest[: wanted.limit]]
    return ChallengePage(items=page, total=len(found), next_cursor=_cursor(page[-1]) if len(rest) > len(page) else None)


@router.get("/catalogue", response_model=CatalogueSummary, responses={**errors(), **NOT_MODIFIED})
async def get_catalogue_summary(store: CatalogueStoreDep, reader: Has) -> CatalogueSummary | Response:
    """How many challenges and topics there are, and where to start."""
    catalogue = store.catalogue
    return reader.has(catalogue.version) or summary(catalogue)


@router.get("/challenges/{slug}", response_model=ChallengeView, responses={**errors(ChallengeNotFound), **NOT_MODIFIED})
async def get_challenge(slug: SlugInPath, store: CatalogueStoreDep, reader: Has) -> Response:
    """A challenge: statement, starter code, entry points, limits and the sample tests."""
    catalogue = store.catalogue
    challenge = catalogue.get(slug)
    return reader.answer(catalogue.bodies, partial(view, challenge), challenge.version)


@router.get(
    "/challenges/{slug}/neighbours",
    response_model=Neighbours,
    responses={**errors(ChallengeNotFound), **NOT_MODIFIED},
)
async def get_neighbours(slug: SlugInPath, store: CatalogueStoreDep, reader: Has) -> Neighbours | Response:
    """The challenges before and after a challenge: in its project, or in the whole catalogue."""
    catalogue = store.catalogue
    challenge = catalogue.get(slug)
    return reader.has(catalogue.version, slug) or neighbours(challenge, catalogue)


@router.get("/admin/catalogue", response_model=CatalogueReport, responses=errors(NotSignedIn, Forbidden))
async def get_catalogue_report(_: Admin, store: CatalogueStoreDep) -> CatalogueReport:
    """How many challenges are served, and which folders were left out and why."""
    return report(store.catalogue)


@router.post(
    "/admin/catalogue/reload", response_model=CatalogueReport, responses=errors(CrossSite, NotSignedIn, Forbidden)
)
async def reload_catalogue(actor: Acting, db: DatabaseDep, store: CatalogueStoreDep) -> CatalogueReport:
    """Read the challenge folders again. The old catalogue is served until the new one is complete."""
    catalogue = await asyncio.to_thread(store.reload)
    found = {"challenges": len(catalogue.challenges), "left_out": len(catalogue.left_out)}
    log.info("catalogue_read", **found)
    async with db.write() as session:
        audit.record(session, actor, Action.RELOAD, catalogue.version, **found)
    return report(catalogue)


def _after(found: list[Challenge], cursor: str) -> list[Challenge]:
    if not cursor:
        return found
    last = decode_cursor(cursor, (str, int, str, str))
    return [challenge for challenge in found if challenge.key > last]


def _cursor(last: ChallengeCard) -> str:
    return encode_cursor(last.section, LEVELS[last.difficulty], last.title, last.slug)
