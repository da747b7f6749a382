"""Sharing an accepted answer, reading what others share."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from api.accounts.identity import AccountRequired, Caller, Member, SessionRequired
from api.bodies import JsonRoute
from api.catalogue.routes import SlugInPath
from api.catalogue.service import ChallengeNotFound
from api.editorials import service as editorials
from api.errors import BadCursor, CrossSite, NotSignedIn, errors
from api.ids import Id
from api.interviews.closing import AskedInInterview
from api.judging.models import Judging
from api.pagination import decode_cursor, encode_cursor
from api.sharing import service
from api.sharing.models import SharedAnswer
from api.sharing.schemas import SharedCard, SharedPage, SharedView, Sharing, SharingView
from api.state import StateOf
from api.submissions.service import SubmissionNotFound, source_of
from api.text import CleanText

router = APIRouter(tags=["sharing"], route_class=JsonRoute)
MEMBERS = (NotSignedIn, SessionRequired, AccountRequired, SubmissionNotFound)
SHARE = errors(CrossSite, *MEMBERS, service.NotAccepted, service.TooManyShared)
LIST = errors(NotSignedIn, ChallengeNotFound, editorials.EditorialClosed, AskedInInterview, BadCursor)


@router.get(
    "/submissions/{submission_id}/share", response_model=SharingView, responses=errors(NotSignedIn, SubmissionNotFound)
)
async def get_sharing(submission_id: Id, caller: Caller, state: StateOf) -> SharingView:
    """Whether an answer of yours is shared."""
    async with state.db.read() as session:
        await service.own(session, submission_id, caller)
        return _sharing(await service.of(session, submission_id))


@router.put("/submissions/{submission_id}/share", response_model=SharingView, responses=SHARE)
async def share_submission(submission_id: Id, body: Sharing, caller: Member, state: StateOf) -> SharingView:
    """Share an accepted answer by a link, and, if you like, with everybody who has opened the editorial."""
    async with state.db.write() as session:
        submission, row = await service.own(session, submission_id, caller)
        return _sharing(await service.share(session, submission, row, listed=body.listed))


@router.delete("/submissions/{submission_id}/share", status_code=204, responses=errors(CrossSite, *MEMBERS))
async def unshare_submission(submission_id: Id, caller: Member, state: StateOf) -> None:
    """Take an answer back: its link opens nothing any more."""
    async with state.db.write() as session:
        await service.own(session, submission_id, caller)
        await service.take_back(session, submission_id)


@router.get("/shared/{shared_id}", response_model=SharedView, responses=errors(service.SharedNotFound))
async def get_shared(shared_id: Id, state: StateOf) -> SharedView:
    """An answer that its owner shares, with its source. Whoever has the link may read it."""
    async with state.db.read() as session:
        shared, name, row = await service.find(session, shared_id)
        text = await source_of(session, shared.submission_id)
    challenge = state.shelf.catalogue.by_slug.get(shared.slug)
    title = challenge.package.info.title if challenge else shared.slug
    return SharedView(**_card(shared, name, row), title=title, source=text.source)


@router.get("/challenges/{slug}/answers", response_model=SharedPage, responses=LIST)
async def list_shared_answers(
    slug: SlugInPath,
    caller: Caller,
    state: StateOf,
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> SharedPage:
    """Accepted answers that their owners show, newest first, once you have solved the challenge or given up."""
    state.shelf.catalogue.get(slug)
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with state.db.read() as session:
        await editorials.must_be_open(session, caller, slug)
        rows = (await session.execute(service.listing(slug, before).limit(limit + 1))).all()
    items = [SharedCard(**_card(*row)) for row in rows[:limit]]
    return SharedPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


def _sharing(shared: SharedAnswer | None) -> SharingView:
    if shared is None:
        return SharingView()
    return SharingView(id=shared.id, listed=shared.listed, shared_at=shared.shared_at)


def _card(shared: SharedAnswer, name: str, row: Judging) -> dict[str, Any]:
    return {
        "id": shared.id,
        "slug": shared.slug,
        "name": name,
        "cpu_s": row.cpu_s,
        "memory_mb": row.memory_mb,
        "shared_at": shared.shared_at,
    }
