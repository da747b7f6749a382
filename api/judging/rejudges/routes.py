"""Routes for rejudges, which judge all finished submissions of a challenge again: count these submissions, start and stop a
rejudge, and see its progress and what it changed.
"""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query, status
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.catalogue import ChallengeNotFound
from api.content.catalogue.schemas import SlugInPath
from api.content.catalogue.service import CatalogueStore, CatalogueStoreDep
from api.identity.audit.service import Acting
from api.identity.sessions.current_account import Admin
from api.judging.rejudges import service
from api.judging.rejudges.models import Rejudge
from api.judging.rejudges.schemas import (
    Change,
    ChangedPage,
    ChangedSubmission,
    Finished,
    NewRejudge,
    RejudgePage,
    RejudgeView,
    VerdictCount,
)
from api.judging.submissions.models import UNFINISHED
from api.kit.errors import BadCursor, CrossSite, Forbidden, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.kit.ids import Id
from api.kit.text import CleanText

router = APIRouter(tags=["desk"], route_class=JsonRoute)
READ = (NotSignedIn, Forbidden)
WRITE = (CrossSite, *READ)
Cursor = Annotated[str, Query(max_length=200), CleanText]


@router.get("/admin/finished/{slug}", response_model=Finished, responses=errors(*READ, ChallengeNotFound))
async def count_finished(slug: SlugInPath, _: Admin, db: DatabaseDep, store: CatalogueStoreDep) -> Finished:
    """The number of finished submissions that a rejudge of the challenge would judge again."""
    _require_known(store, slug)
    async with db.read() as session:
        found = await service.verdicts(session, slug)
    counts = [VerdictCount.model_validate({"verdict": name, "count": count}) for name, count in sorted(found.items())]
    return Finished(slug=slug, submissions=sum(found.values()), verdicts=counts)


@router.post(
    "/admin/rejudges",
    status_code=status.HTTP_201_CREATED,
    response_model=RejudgeView,
    responses=errors(*WRITE, ChallengeNotFound, service.AlreadyRejudging),
)
async def create_rejudge(body: NewRejudge, actor: Acting, db: DatabaseDep, store: CatalogueStoreDep) -> RejudgeView:
    """Judge all finished submissions of a challenge again, a few at a time. New submissions are judged first."""
    _require_known(store, body.slug)
    async with db.write() as session:
        row = await service.start(session, actor, body.slug)
        return (await _views(session, [row]))[0]


@router.get("/admin/rejudges", response_model=RejudgePage, responses=errors(*READ, BadCursor))
async def list_rejudges(
    _: Admin, db: DatabaseDep, cursor: Cursor = "", limit: Annotated[int, Query(ge=1, le=20)] = 10
) -> RejudgePage:
    """Rejudges, newest first, with their progress."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with db.read() as session:
        rows = (await session.scalars(service.listing(before).limit(limit + 1))).all()
        items = await _views(session, rows[:limit])
    return RejudgePage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.get(
    "/admin/rejudges/{rejudge_id}/changes",
    response_model=ChangedPage,
    responses=errors(*READ, service.RejudgeNotFound, BadCursor),
)
async def list_rejudge_changes(
    rejudge_id: Id, _: Admin, db: DatabaseDep, cursor: Cursor = "", limit: Annotated[int, Query(ge=1, le=100)] = 50
) -> ChangedPage:
    """Submissions whose verdict or score was changed by the rejudge."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with db.read() as session:
        await service.find(session, rejudge_id)
        rows = (await session.execute(service.changes(rejudge_id, before).limit(limit + 1))).all()
    items = [_changed(item, judging) for item, judging in rows[:limit]]
    more = len(rows) > limit
    return ChangedPage(items=items, next_cursor=encode_cursor(items[-1].submission_id) if more else None)


@router.post(
    "/admin/rejudges/{rejudge_id}/stop",
    response_model=RejudgeView,
    responses=errors(*WRITE, service.RejudgeNotFound, service.RejudgeEnded),
)
async def stop_rejudge(rejudge_id: Id, actor: Acting, db: DatabaseDep) -> RejudgeView:
    """Stop a rejudge: queue no more of its submissions. Those already in the queue are still judged."""
    async with db.write() as session:
        row = await service.stop(session, actor, rejudge_id)
        return (await _views(session, [row]))[0]


async def _views(session: AsyncSession, rows: Sequence[Rejudge]) -> list[RejudgeView]:
    progress = await service.progress(session, [row.id for row in rows])
    return [_view(row, progress.get(row.id, [])) for row in rows]


def _view(row: Rejudge, counts: list[Any]) -> RejudgeView:
    ended = [(before, after, count) for before, _, after, count in counts if after is not None]
    waiting = sum(count for _, status, _, count in counts if status is None)
    outcomes = [Change(before=before, after=after, count=count) for before, after, count in sorted(ended)]
    return RejudgeView(
        id=row.id,
        slug=row.slug,
        state=row.state,  # type: ignore[arg-type]
        reason=row.reason,
        waiting=waiting,
        judging=sum(count for _, status, _, count in counts if status in UNFINISHED),
        judged=sum(count for _, _, count in ended),
        outcomes=outcomes,
        created_at=row.created_at,
        ended_at=row.ended_at,
    )


def _changed(item: Any, judging: Any) -> ChangedSubmission:
    return ChangedSubmission(
        submission_id=item.submission_id,
        account_id=judging.account_id,
        before=item.before,
        after=judging.verdict,
        before_score=item.before_score,
        after_score=judging.score,
    )


def _require_known(store: CatalogueStore, slug: str) -> None:
    """Raise `ChallengeNotFound` unless the challenge is in the catalogue, publicly or for assessments only."""
    if slug not in store.catalogue.reserved:
        store.catalogue.get(slug)
