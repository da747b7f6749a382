"""Routes to share an accepted answer, and to read shared answers."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from api.content.catalogue.schemas import SlugInPath
from api.content.catalogue.service import CatalogueStoreDep, ChallengeNotFound
from api.content.embargo import BrowserEmbargoDep, EmbargoDep, InYourAssessment
from api.identity.sessions.current_account import AccountRequired, Caller, Member, SessionRequired
from api.judging.intake.service import SubmissionNotFound, source_of
from api.judging.submissions.models import Judging
from api.kit.errors import BadCursor, CrossSite, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.kit.ids import Id
from api.kit.text import CleanText
from api.practice.editorials import service as editorials
from api.practice.running_interviews.restrictions import AskedInInterview
from api.practice.sharing import service
from api.practice.sharing.models import SharedAnswer
from api.practice.sharing.schemas import SharedCard, SharedPage, SharedView, Sharing, SharingView

router = APIRouter(tags=["sharing"], route_class=JsonRoute)
MEMBERS = (NotSignedIn, SessionRequired, AccountRequired, SubmissionNotFound)
SHARE = errors(CrossSite, *MEMBERS, service.NotAccepted, service.TooManyShared)
LIST = errors(NotSignedIn, ChallengeNotFound, editorials.EditorialClosed, AskedInInterview, InYourAssessment, BadCursor)


@router.get(
    "/submissions/{submission_id}/share", response_model=SharingView, responses=errors(NotSignedIn, SubmissionNotFound)
)
async def get_sharing(submission_id: Id, caller: Caller, db: DatabaseDep) -> SharingView:
    """Whether your answer is shared, and if so, with whom."""
    async with db.read() as session:
        await service.own(session, submission_id, caller)
        return _sharing(await service.sharing_of(session, submission_id))


@router.put("/submissions/{submission_id}/share", response_model=SharingView, responses=SHARE)
async def share_submission(submission_id: Id, body: Sharing, caller: Member, db: DatabaseDep) -> SharingView:
    """Share an accepted answer by a link. With `listed`, all users who can read the challenge's editorial can find it too."""
    async with db.write() as session:
        submission, row = await service.own(session, submission_id, caller)
        return _sharing(await service.share(session, submission, row, listed=body.listed))


@router.delete("/submissions/{submission_id}/share", status_code=204, responses=errors(CrossSite, *MEMBERS))
async def unshare_submission(submission_id: Id, caller: Member, db: DatabaseDep) -> None:
    """Stop sharing an answer. Its link stops working."""
    async with db.write() as session:
        await service.own(session, submission_id, caller)
        await service.unshare(session, submission_id)


@router.get(
    "/shared/{shared_id}", response_model=SharedView, responses=errors(service.SharedNotFound, InYourAssessment)
)
async def get_shared(
    shared_id: Id, db: DatabaseDep, store: CatalogueStoreDep, embargo: BrowserEmbargoDep
) -> SharedView:
    """A shared answer with its source. Anybody with the link may read it."""
    async with db.read() as session:
        shared, name, row = await service.find(session, shared_id)
        text = await source_of(session, shared.submission_id)
    await embargo.refuse_challenge(shared.slug, "answers of others")
    challenge = store.catalogue.by_slug.get(shared.slug)
    title = challenge.package.info.title if challenge else shared.slug
    return SharedView(**_card(shared, name, row), title=title, source=text.source)


@router.get("/challenges/{slug}/answers", response_model=SharedPage, responses=LIST)
async def list_shared_answers(
    slug: SlugInPath,
    caller: Caller,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    embargo: EmbargoDep,
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> SharedPage:
    """The answers that users have listed for a challenge, newest first. You can read them once you have solved the challenge or
    given up on it.
    """
    store.catalogue.get(slug)
    await embargo.refuse_challenge(slug, "answers of others")
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with db.read() as session:
        await editorials.require_open(session, caller, slug)
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
