"""Routes to read the discussion of a challenge, to write in it, and to vote for comments."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from api.content.catalogue.catalogue import ChallengeNotFound
from api.content.catalogue.schemas import SlugInPath
from api.content.catalogue.service import CatalogueStoreDep
from api.content.embargo import Embargo, EmbargoDep, InYourAssessment
from api.identity.sessions.credentials import Identity
from api.identity.sessions.current_account import AccountRequired, Caller, Member, SessionRequired
from api.kit.db.database import Database
from api.kit.errors import BadCursor, CrossSite, NotSignedIn, TooManyRequests, errors
from api.kit.http.dependencies import DatabaseDep, IdempotencyKey
from api.kit.http.json_body import JsonRoute
from api.kit.ids import Id
from api.kit.text import CleanText
from api.practice.discussions import service
from api.practice.discussions.schemas import CommentView, EditedComment, NewComment, ThreadPage
from api.practice.editorials.service import EditorialClosed, require_open
from api.practice.running_interviews.restrictions import AskedInInterview
from api.practice.votes.models import CommentVote
from api.practice.votes.schemas import Sort, VoteView
from api.practice.votes.service import OwnContent, set_vote

router = APIRouter(tags=["discussions"], route_class=JsonRoute)
CLOSED = (AskedInInterview, InYourAssessment)
MEMBERS = (CrossSite, NotSignedIn, SessionRequired, AccountRequired)
LIST = errors(NotSignedIn, ChallengeNotFound, EditorialClosed, *CLOSED, BadCursor)
POST = errors(
    *MEMBERS,
    ChallengeNotFound,
    EditorialClosed,
    *CLOSED,
    service.CommentNotFound,
    service.ThreadFull,
    service.KeyReused,
    TooManyRequests,
)
CHANGE = errors(*MEMBERS, service.CommentNotFound, *CLOSED, service.CommentHidden)
VOTE = errors(*MEMBERS, service.CommentNotFound, *CLOSED, OwnContent)
REPEATED: dict[int | str, dict[str, Any]] = {
    200: {"model": CommentView, "description": "The same comment was sent before; it is returned."}
}


@router.get("/challenges/{slug}/comments", response_model=ThreadPage, responses=LIST)
async def list_comments(
    slug: SlugInPath,
    caller: Caller,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    embargo: EmbargoDep,
    sort: Sort = "votes",
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=20)] = 20,
) -> ThreadPage:
    """The discussion of a challenge: its comments with all replies. You can read it once you have solved the challenge or given
    up on it.
    """
    store.catalogue.get(slug)
    await embargo.refuse_challenge(slug, "discussion")
    async with db.read() as session:
        await require_open(session, caller, slug)
        items, following = await service.threads(session, caller, slug, sort, cursor, limit)
    return ThreadPage(items=items, next_cursor=following)


@router.post("/challenges/{slug}/comments", status_code=201, response_model=CommentView, responses={**POST, **REPEATED})
async def create_comment(
    slug: SlugInPath,
    body: NewComment,
    caller: Member,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    embargo: EmbargoDep,
    response: Response,
    idempotency_key: IdempotencyKey = None,
) -> CommentView:
    """Write a comment about a challenge, or a reply to a comment."""
    store.catalogue.get(slug)
    await embargo.refuse_challenge(slug, "discussion")
    async with db.write() as session:
        comment_id, new = await service.post(session, caller, slug, body, idempotency_key)
        made = await service.view(session, caller, comment_id)
    if not new:
        response.status_code = 200
    return made


@router.put("/comments/{comment_id}", response_model=CommentView, responses=CHANGE)
async def edit_comment(
    comment_id: Id, body: EditedComment, caller: Member, db: DatabaseDep, embargo: EmbargoDep
) -> CommentView:
    """Change the text of your comment. Readers see that it was edited."""
    async with db.read() as session:
        found = await service.find(session, caller, comment_id)
    await embargo.refuse_challenge(found.slug, "discussion")
    async with db.write() as session:
        await service.edit(session, caller, comment_id, body.text)
        return await service.view(session, caller, comment_id)


@router.delete("/comments/{comment_id}", status_code=204, responses=errors(*MEMBERS, service.CommentNotFound))
async def delete_comment(comment_id: Id, caller: Member, db: DatabaseDep) -> None:
    """Delete your comment and the votes for it. Replies to it stay."""
    async with db.write() as session:
        await service.remove(session, caller, comment_id)


@router.put("/comments/{comment_id}/vote", response_model=VoteView, responses=VOTE)
async def vote_for_comment(comment_id: Id, caller: Member, db: DatabaseDep, embargo: EmbargoDep) -> VoteView:
    """Vote for a comment of another account. Doing it again changes nothing."""
    return await _vote(comment_id, caller, db, embargo, on=True)


@router.delete("/comments/{comment_id}/vote", response_model=VoteView, responses=VOTE)
async def take_back_vote_for_comment(comment_id: Id, caller: Member, db: DatabaseDep, embargo: EmbargoDep) -> VoteView:
    """Take back your vote for a comment."""
    return await _vote(comment_id, caller, db, embargo, on=False)


async def _vote(comment_id: str, caller: Identity, db: Database, embargo: Embargo, *, on: bool) -> VoteView:
    async with db.read() as session:
        found = await service.find(session, caller, comment_id)
    await embargo.refuse_challenge(found.slug, "discussion")
    if found.author_id == caller.account.id:
        raise OwnContent("You cannot vote for your own comment.")
    async with db.write() as session:
        return await set_vote(session, CommentVote, comment_id, caller.account.id, on=on)
