"""Routes with which a team monitors participations. A member can see a live table of all participations, and what each
candidate has submitted and written. Depending on the role, a member can also give a candidate extra time, finish a
participation, or erase it.
"""

import json
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Response, status
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from api.content.catalogue.service import CatalogueStoreDep
from api.hiring.assessments.service import AssessmentNotFound, find
from api.hiring.monitoring import service
from api.hiring.monitoring.report import detail
from api.hiring.monitoring.schemas import (
    EditBatch,
    EditPage,
    NewExtra,
    SentAnswer,
    SentPage,
    SignalPage,
    SignalView,
    WatchedPage,
    WatchedParticipation,
)
from api.hiring.participations.models import ParticipationEdit, ParticipationSignal
from api.hiring.participations.service import ItemNotFound, LoadedParticipation, ParticipationNotFound
from api.hiring.taking.candidate_request import Position, Received
from api.hiring.taking.question_items import QuizItem
from api.hiring.taking.views import quiz_view
from api.hiring.taking.work import ItemWithdrawn, WrongItemKind, require_kind
from api.hiring.teams import activity_log
from api.hiring.teams.membership import AsAuthor, AsOwner, AsReviewer, Membership, RoleTooLow, TeamNotFound
from api.identity.sessions.current_account import Browser, SessionRequired
from api.judging.dispatch.dispatcher import DispatcherDep
from api.judging.intake import views
from api.judging.intake.service import SubmissionNotFound, listing, source_of
from api.judging.submissions.events import EventHubDep
from api.judging.submissions.models import Judging, Submission
from api.kit.errors import BadCursor, CrossSite, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.kit.http.json_body import JsonRoute
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.kit.ids import Id
from api.kit.text import CleanText

router = APIRouter(
    tags=["participations"], route_class=JsonRoute, prefix="/teams/{team_id}/assessments/{assessment_id}"
)
Cursor = Annotated[str, Query(max_length=200), CleanText]
Limit = Annotated[int, Query(ge=1, le=100)]
# The maximum number of batches of edits per page. It is smaller than for other lists, because one batch can have 64 KiB.
FewLimit = Annotated[int, Query(ge=1, le=50)]
READ = (NotSignedIn, TeamNotFound, AssessmentNotFound)
ONE = (*READ, ParticipationNotFound)
WRITE = (CrossSite, SessionRequired, *READ, RoleTooLow)
CHANGE = (*WRITE, ParticipationNotFound)


@dataclass(frozen=True)
class ParticipationQuery:
    """Selects one page of participations. If `only` is set, the page contains only participations in this state."""

    only: Literal["running", "finished"] | None = None
    cursor: Cursor = ""
    limit: Limit = 50


@dataclass(frozen=True)
class AddressedParticipation:
    """The participation that is named in the path, and the caller's membership in the team."""

    membership: Membership
    assessment_id: str
    participation_id: str

    async def find(self, session: AsyncSession) -> LoadedParticipation:
        """Return the participation, locked until the end of the transaction. Raises `AssessmentNotFound`,
        `ParticipationNotFound`.
        """
        await find(session, self.membership, self.assessment_id)
        return await service.find(session, self.assessment_id, self.participation_id)

    async def record(self, session: AsyncSession, action: activity_log.LogAction, detail: str = "") -> None:
        """Record an action on the participation in the team's log."""
        assessment = await find(session, self.membership, self.assessment_id)
        activity_log.record(session, self.membership, action, self.participation_id, assessment.name, detail)


async def for_reviewer(assessment_id: Id, participation_id: Id, membership: AsReviewer) -> AddressedParticipation:
    """FastAPI dependency for all members of the team. It returns the participation that is named in the path."""
    return AddressedParticipation(membership, assessment_id, participation_id)


async def for_author(
    assessment_id: Id, participation_id: Id, _: Browser, membership: AsAuthor
) -> AddressedParticipation:
    """FastAPI dependency for owners and authors. It returns the participation that is named in the path."""
    return AddressedParticipation(membership, assessment_id, participation_id)


async def for_owner(assessment_id: Id, participation_id: Id, _: Browser, membership: AsOwner) -> AddressedParticipation:
    """FastAPI dependency for owners. It returns the participation that is named in the path."""
    return AddressedParticipation(membership, assessment_id, participation_id)


ForReviewer = Annotated[AddressedParticipation, Depends(for_reviewer)]
ForAuthor = Annotated[AddressedParticipation, Depends(for_author)]
ForOwner = Annotated[AddressedParticipation, Depends(for_owner)]


@router.get("/participations", responses=errors(*READ, BadCursor))
async def list_participations(
    assessment_id: Id,
    membership: AsReviewer,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    moment: Received,
    asked: Annotated[ParticipationQuery, Depends()],
) -> WatchedPage:
    """List participations, newest first, with the current item, the time left, the number of answers, the score, and the
    recorded signals.
    """
    before = str(decode_cursor(asked.cursor, (str,))[0]) if asked.cursor else ""
    async with db.read() as session:
        await find(session, membership, assessment_id)
        rows = list(
            await session.scalars(service.listing(assessment_id, asked.only or "", before).limit(asked.limit + 1))
        )
        items = await service.rows_of(session, rows[: asked.limit], moment)
    service.set_titles(items, store)
    next_cursor = encode_cursor(items[-1].id) if len(rows) > asked.limit else None
    return WatchedPage(items=items, server_time=moment, next_cursor=next_cursor)


@router.get("/participations/{participation_id}", responses=errors(*ONE))
async def get_watched_participation(
    addressed: ForReviewer, db: DatabaseDep, store: CatalogueStoreDep, moment: Received
) -> WatchedParticipation:
    """Return one participation with its items and last drafts."""
    async with db.read() as session:
        run = await addressed.find(session)
        return await detail(session, run, store, moment)


@router.get("/participations/{participation_id}/submissions", responses=errors(*ONE, BadCursor))
async def list_sent_answers(
    addressed: ForReviewer,
    db: DatabaseDep,
    cursor: Cursor = "",
    limit: Limit = 50,
) -> SentPage:
    """List all submissions of a participation, newest first."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with db.read() as session:
        run = await addressed.find(session)
        rows = (await session.execute(listing(run.row.account_id, "", "", before).limit(limit + 1))).all()
    items = [views.card(submission, row) for submission, row in rows[:limit]]
    return SentPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.get(
    "/participations/{participation_id}/submissions/{submission_id}", responses=errors(*ONE, SubmissionNotFound)
)
async def get_watched_answer(submission_id: Id, addressed: ForReviewer, db: DatabaseDep) -> SentAnswer:
    """Return one submission with its source and the results of all tests, including hidden tests, with the pictures that the
    tests drew (exhibits).
    """
    async with db.read() as session:
        run = await addressed.find(session)
        query = listing(run.row.account_id, "", "", "").where(Submission.id == submission_id)
        found = (await session.execute(query.options(undefer(Judging.judgement)))).one_or_none()
        if found is None:
            raise SubmissionNotFound("This participation has no submission with this ID.")
        sent = await source_of(session, submission_id)
    shown = views.view(found[0], found[1], None, for_team=True)
    return SentAnswer(submission=shown, source=sent.source, snippet=sent.snippet)


@router.get(
    "/participations/{participation_id}/items/{position}/quiz",
    responses=errors(*ONE, ItemNotFound, WrongItemKind, ItemWithdrawn),
)
async def get_watched_quiz(
    position: Position, addressed: ForReviewer, db: DatabaseDep, store: CatalogueStoreDep
) -> QuizItem:
    """Return the questions of a quiz, or a question with options or a number, with the candidate's answers and their marks."""
    async with db.read() as session:
        run = await addressed.find(session)
        item = run.item(position)
        require_kind(item, "quiz", "question")
        return await quiz_view(session, run, item, store, marked=True)


@router.get(
    "/participations/{participation_id}/items/{position}/edits", responses=errors(*ONE, ItemNotFound, BadCursor)
)
async def list_edits(
    position: Position,
    addressed: ForReviewer,
    db: DatabaseDep,
    cursor: Cursor = "",
    limit: FewLimit = 20,
) -> EditPage:
    """List the recorded edits with which an answer was written, batch by batch."""
    after = int(decode_cursor(cursor, (int,))[0]) if cursor else 0
    async with db.read() as session:
        run = await addressed.find(session)
        item = run.item(position)
        mine = ParticipationEdit.participation_id == run.row.id, ParticipationEdit.position == item.position
        query = select(ParticipationEdit).where(*mine, ParticipationEdit.sequence > min(after, 2**31 - 1))
        rows = (await session.scalars(query.order_by(ParticipationEdit.sequence).limit(limit + 1))).all()
    items = [EditBatch(sequence=row.sequence, at=row.at, events=json.loads(row.events)) for row in rows[:limit]]
    return EditPage(items=items, next_cursor=encode_cursor(items[-1].sequence) if len(rows) > limit else None)


@router.get("/participations/{participation_id}/signals", responses=errors(*ONE, BadCursor))
async def list_signals(
    addressed: ForReviewer,
    db: DatabaseDep,
    cursor: Cursor = "",
    limit: Limit = 100,
) -> SignalPage:
    """List the recorded signals, in order: pastes, leaving and entering the page, changes of device, and refused attempts to
    practise the items. Signals are facts without a judgement; the team decides what they mean.
    """
    after = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with db.read() as session:
        run = await addressed.find(session)
        query = select(ParticipationSignal).where(
            ParticipationSignal.participation_id == run.row.id, ParticipationSignal.id > after
        )
        rows = (await session.scalars(query.order_by(ParticipationSignal.id).limit(limit + 1))).all()
    items = [SignalView.model_validate(row) for row in rows[:limit]]
    return SignalPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.put("/participations/{participation_id}/extra-time", responses=errors(*CHANGE, service.Finished))
async def give_extra_time(
    body: NewExtra,
    addressed: ForAuthor,
    db: DatabaseDep,
    settings: SettingsDep,
    store: CatalogueStoreDep,
    hub: EventHubDep,
    moment: Received,
) -> WatchedParticipation:
    """Set a candidate's extra time, which takes effect immediately. If the participation already ended at its deadline, it
    reopens when the new deadline is in the future.
    """
    async with db.write() as session:
        run = await addressed.find(session)
        await service.give_time(session, run, settings, store, body.minutes, moment)
        await addressed.record(session, "participation.extra_time", f"{body.minutes} minutes")
        shown = await detail(session, run, store, moment)
    hub.notify(run.row.account_id)
    return shown


@router.post("/participations/{participation_id}/finish", responses=errors(*CHANGE, service.Finished))
async def finish_for_candidate(
    addressed: ForAuthor,
    db: DatabaseDep,
    settings: SettingsDep,
    store: CatalogueStoreDep,
    dispatcher: DispatcherDep,
    hub: EventHubDep,
    moment: Received,
) -> WatchedParticipation:
    """Finish a participation now. The last drafts are submitted."""
    async with db.write() as session:
        run = await addressed.find(session)
        await service.end(session, run, settings, store, moment)
        await addressed.record(session, "participation.finish")
        shown = await detail(session, run, store, moment)
    dispatcher.wake()
    hub.notify(run.row.account_id)
    return shown


@router.delete("/participations/{participation_id}", status_code=204, responses=errors(*CHANGE))
async def erase_participation(addressed: ForOwner, db: DatabaseDep) -> Response:
    """Erase everything about this candidate, immediately and permanently: the invitation, all its participations, and
    everything that was submitted and written.
    """
    async with db.write() as session:
        run = await addressed.find(session)
        await addressed.record(session, "participation.erase")
        await service.erase(session, run.row)
    return Response(status_code=status.HTTP_204_NO_CONTENT)
