"""Routes to share an accepted answer, to read shared answers, and to vote for them."""

from typing import Annotated

from fastapi import APIRouter, Query
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.catalogue import ChallengeNotFound
from api.content.catalogue.schemas import SlugInPath
from api.content.catalogue.service import CatalogueStoreDep
from api.content.embargo import BrowserEmbargoDep, Embargo, EmbargoDep, InYourAssessment
from api.identity.accounts.guests import is_guest
from api.identity.sessions.credentials import Identity
from api.identity.sessions.current_account import AccountRequired, Caller, Member, SessionRequired, Visitor
from api.judging.intake.service import SubmissionNotFound, source_of
from api.kit.db.database import Database
from api.kit.errors import BadCursor, CrossSite, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.kit.ids import Id
from api.kit.text import CleanText
from api.practice.editorials import service as editorials
from api.practice.running_interviews.restrictions import AskedInInterview
from api.practice.sharing import service
from api.practice.sharing.models import SharedAnswer
from api.practice.sharing.schemas import SharedCard, SharedPage, SharedView, Sharing, SharingView
from api.practice.votes.models import SharedAnswerVote
from api.practice.votes.schemas import Sort, VoteView
from api.practice.votes.service import OwnContent, cursor_after, set_vote

router = APIRouter(tags=["sharing"], route_class=JsonRoute)
MEMBERS = (NotSignedIn, SessionRequired, AccountRequired, SubmissionNotFound)
SHARE = errors(CrossSite, *MEMBERS, service.NotAccepted, service.TooManyShared)
VOTE = errors(
    CrossSite,
    NotSignedIn,
    SessionRequired,
    AccountRequired,
    service.SharedNotFound,
    editorials.EditorialClosed,
    AskedInInterview,
    InYourAssessment,
    OwnContent,
)
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
    shared_id: Id, visitor: Visitor, db: DatabaseDep, store: CatalogueStoreDep, embargo: BrowserEmbargoDep
) -> SharedView:
    """A shared answer with its source. Anybody with the link may read it."""
    reader = visitor.account.id if visitor else ""
    async with db.read() as session:
        found = await service.find(session, shared_id, reader)
        text = await source_of(session, found[0].submission_id)
        votable = visitor is not None and await _may_vote(session, visitor, found[0])
    await embargo.refuse_challenge(found[0].slug, "answers of others")
    challenge = store.catalogue.by_slug.get(found[0].slug)
    title = challenge.package.info.title if challenge else found[0].slug
    return SharedView(**_card(found, reader).model_dump(), title=title, source=text.source, votable=votable)


@router.get("/challenges/{slug}/answers", response_model=SharedPage, responses=LIST)
async def list_shared_answers(
    slug: SlugInPath,
    caller: Caller,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    embargo: EmbargoDep,
    sort: Sort = "newest",
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> SharedPage:
    """The answers that users have listed for a challenge. You can read them once you have solved the challenge or given up on
    it.
    """
    store.catalogue.get(slug)
    await embargo.refuse_challenge(slug, "answers of others")
    reader = caller.account.id
    async with db.read() as session:
        await editorials.require_open(session, caller, slug)
        rows = (await session.execute(service.listing(slug, reader, sort, cursor).limit(limit + 1))).all()
    items = [_card(row, reader) for row in rows[:limit]]
    following = cursor_after(sort, items[-1].votes, items[-1].id) if len(rows) > limit else None
    return SharedPage(items=items, next_cursor=following)


@router.put("/shared/{shared_id}/vote", response_model=VoteView, responses=VOTE)
async def vote_for_shared(shared_id: Id, caller: Member, db: DatabaseDep, embargo: EmbargoDep) -> VoteView:
    """Vote for an answer that another account shares. Requires that you can read the challenge's editorial. Doing it again
    changes nothing.
    """
    return await _vote(shared_id, caller, db, embargo, on=True)


@router.delete("/shared/{shared_id}/vote", response_model=VoteView, responses=VOTE)
async def take_back_vote_for_shared(shared_id: Id, caller: Member, db: DatabaseDep, embargo: EmbargoDep) -> VoteView:
    """Take back your vote for a shared answer."""
    return await _vote(shared_id, caller, db, embargo, on=False)


async def _may_vote(session: AsyncSession, visitor: Identity, shared: SharedAnswer) -> bool:
    if is_guest(visitor.account) or shared.account_id == visitor.account.id:
        return False
    return visitor.is_admin or (await editorials.progress_of(session, visitor.account.id, shared.slug)).open


async def _vote(shared_id: str, caller: Identity, db: Database, embargo: Embargo, *, on: bool) -> VoteView:
    async with db.read() as session:
        shared = (await service.find(session, shared_id, caller.account.id))[0]
        await editorials.require_open(session, caller, shared.slug)
    await embargo.refuse_challenge(shared.slug, "answers of others")
    if shared.account_id == caller.account.id:
        raise OwnContent("You cannot vote for your own answer.")
    async with db.write() as session:
        return await set_vote(session, SharedAnswerVote, shared_id, caller.account.id, on=on)


def _sharing(shared: SharedAnswer | None) -> SharingView:
    if shared is None:
        return SharingView()
    return SharingView(
        id=shared.id, listed=shared.listed, hidden=shared.hidden_at is not None, shared_at=shared.shared_at
    )


def _card(found: service.Reading, reader_id: str) -> SharedCard:
    shared, name, row, votes, voted = found
    return SharedCard(
        id=shared.id,
        slug=shared.slug,
        name=name,
        cpu_s=row.cpu_s,
        memory_mb=row.memory_mb,
        shared_at=shared.shared_at,
        votes=votes,
        voted=voted,
        mine=shared.account_id == reader_id,
    )
