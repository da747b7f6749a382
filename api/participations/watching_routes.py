"""Watching: the live table of those who take an assessment, what each of them sent and wrote, time and ends."""

import json
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Response, status
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from api.accounts.identity import Browser, SessionRequired
from api.assessments.service import AssessmentNotFound, find, find_to_change
from api.bodies import JsonRoute
from api.errors import BadCursor, CrossSite, NotSignedIn, errors
from api.ids import Id
from api.judging.models import Judging
from api.pagination import decode_cursor, encode_cursor
from api.participations import outages, watching
from api.participations.models import ParticipationEdit, ParticipationSignal
from api.participations.report import detail
from api.participations.routes import Position, Received
from api.participations.schemas import QuizItem
from api.participations.service import ItemNotFound, ParticipationNotFound, Run
from api.participations.views import quiz_view
from api.participations.watching_schemas import (
    Affected,
    EditBatch,
    EditPage,
    NewExtra,
    NewOutage,
    OutageReport,
    Outages,
    SentAnswer,
    SentPage,
    SignalPage,
    SignalView,
    WatchedPage,
    WatchedParticipation,
)
from api.participations.work import ItemWithdrawn, OtherKind, require_kind
from api.state import StateOf
from api.submissions import views
from api.submissions.models import Submission
from api.submissions.service import SubmissionNotFound, listing, source_of
from api.teams.seats import Authoring, Owning, Reviewing, RoleTooLow, Seat, TeamNotFound
from api.text import CleanText

router = APIRouter(
    tags=["participations"], route_class=JsonRoute, prefix="/teams/{team_id}/assessments/{assessment_id}"
)
Cursor = Annotated[str, Query(max_length=200), CleanText]
Limit = Annotated[int, Query(ge=1, le=100)]
# A batch may have 64 KiB.
FewLimit = Annotated[int, Query(ge=1, le=50)]
READ = (NotSignedIn, TeamNotFound, AssessmentNotFound)
ONE = (*READ, ParticipationNotFound)
WRITE = (CrossSite, SessionRequired, *READ, RoleTooLow)
CHANGE = (*WRITE, ParticipationNotFound)


@dataclass(frozen=True)
class Asked:
    """Which participations, and which page of them."""

    only: Literal["running", "finished"] | None = None
    cursor: Cursor = ""
    limit: Limit = 50


@dataclass(frozen=True)
class Named:
    """The participation that an address names, for somebody of the team."""

    seat: Seat
    assessment_id: str
    participation_id: str

    async def find(self, session: AsyncSession) -> Run:
        """The participation, locked until the end of the transaction. Raises `AssessmentNotFound`, `ParticipationNotFound`."""
        await find(session, self.seat, self.assessment_id)
        return await watching.find(session, self.assessment_id, self.participation_id)


async def named(assessment_id: Id, participation_id: Id, seat: Reviewing) -> Named:
    """For anybody in the team."""
    return Named(seat, assessment_id, participation_id)


async def named_to_change(assessment_id: Id, participation_id: Id, _: Browser, seat: Authoring) -> Named:
    """For authors."""
    return Named(seat, assessment_id, participation_id)


async def named_to_erase(assessment_id: Id, participation_id: Id, _: Browser, seat: Owning) -> Named:
    """For owners."""
    return Named(seat, assessment_id, participation_id)


One = Annotated[Named, Depends(named)]
OneToChange = Annotated[Named, Depends(named_to_change)]
OneToErase = Annotated[Named, Depends(named_to_erase)]


@router.get("/participations", responses=errors(*READ, BadCursor))
async def list_participations(
    assessment_id: Id,
    seat: Reviewing,
    state: StateOf,
    moment: Received,
    asked: Annotated[Asked, Depends()],
) -> WatchedPage:
    """Who takes it or has taken it, newest first: where, time left, what was sent, score, what was noticed."""
    before = str(decode_cursor(asked.cursor, (str,))[0]) if asked.cursor else ""
    async with state.db.read() as session:
        await find(session, seat, assessment_id)
        rows = list(
            await session.scalars(watching.listing(assessment_id, asked.only or "", before).limit(asked.limit + 1))
        )
        items = await watching.rows_of(session, rows[: asked.limit], moment)
    watching.entitle(items, state)
    next_cursor = encode_cursor(items[-1].id) if len(rows) > asked.limit else None
    return WatchedPage(items=items, server_time=moment, next_cursor=next_cursor)


@router.get("/participations/{participation_id}", responses=errors(*ONE))
async def get_watched_participation(one: One, state: StateOf, moment: Received) -> WatchedParticipation:
    """One participation, item by item, with what was written last."""
    async with state.db.read() as session:
        run = await one.find(session)
        return await detail(session, run, state, moment)


@router.get("/participations/{participation_id}/submissions", responses=errors(*ONE, BadCursor))
async def list_sent_answers(
    one: One,
    state: StateOf,
    cursor: Cursor = "",
    limit: Limit = 50,
) -> SentPage:
    """Everything that was sent, newest first."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with state.db.read() as session:
        run = await one.find(session)
        rows = (await session.execute(listing(run.row.account_id, "", "", before).limit(limit + 1))).all()
    items = [views.card(submission, row) for submission, row in rows[:limit]]
    return SentPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.get(
    "/participations/{participation_id}/submissions/{submission_id}", responses=errors(*ONE, SubmissionNotFound)
)
async def get_watched_answer(submission_id: Id, one: One, state: StateOf) -> SentAnswer:
    """One answer: its source, and every test with its exhibits, hidden ones too."""
    async with state.db.read() as session:
        run = await one.find(session)
        query = listing(run.row.account_id, "", "", "").where(Submission.id == submission_id)
        found = (await session.execute(query.options(undefer(Judging.judgement)))).one_or_none()
        if found is None:
            raise SubmissionNotFound("This participation has no submission with this id.")
        sent = await source_of(session, submission_id)
    shown = views.view(found[0], found[1], None, for_team=True)
    return SentAnswer(submission=shown, source=sent.source, snippet=sent.snippet)


@router.get(
    "/participations/{participation_id}/items/{position}/quiz",
    responses=errors(*ONE, ItemNotFound, OtherKind, ItemWithdrawn),
)
async def get_watched_quiz(position: Position, one: One, state: StateOf) -> QuizItem:
    """What was answered to the questions of a quiz, with marks."""
    async with state.db.read() as session:
        run = await one.find(session)
        item = run.item(position)
        require_kind(item, "quiz")
        return await quiz_view(session, run, item, state, marked=True)


@router.get(
    "/participations/{participation_id}/items/{position}/edits", responses=errors(*ONE, ItemNotFound, BadCursor)
)
async def list_edits(
    position: Position,
    one: One,
    state: StateOf,
    cursor: Cursor = "",
    limit: FewLimit = 20,
) -> EditPage:
    """How an answer was written, batch by batch."""
    after = int(decode_cursor(cursor, (int,))[0]) if cursor else 0
    async with state.db.read() as session:
        run = await one.find(session)
        item = run.item(position)
        mine = ParticipationEdit.participation_id == run.row.id, ParticipationEdit.position == item.position
        query = select(ParticipationEdit).where(*mine, ParticipationEdit.sequence > min(after, 2**31 - 1))
        rows = (await session.scalars(query.order_by(ParticipationEdit.sequence).limit(limit + 1))).all()
    items = [EditBatch(sequence=row.sequence, at=row.at, events=json.loads(row.events)) for row in rows[:limit]]
    return EditPage(items=items, next_cursor=encode_cursor(items[-1].sequence) if len(rows) > limit else None)


@router.get("/participations/{participation_id}/signals", responses=errors(*ONE, BadCursor))
async def list_signals(
    one: One,
    state: StateOf,
    cursor: Cursor = "",
    limit: Limit = 100,
) -> SignalPage:
    """What was noticed, in order: pastes, the page left and entered, other devices. Facts, not judgements."""
    after = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with state.db.read() as session:
        run = await one.find(session)
        query = select(ParticipationSignal).where(
            ParticipationSignal.participation_id == run.row.id, ParticipationSignal.id > after
        )
        rows = (await session.scalars(query.order_by(ParticipationSignal.id).limit(limit + 1))).all()
    items = [SignalView.model_validate(row) for row in rows[:limit]]
    return SignalPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.put("/participations/{participation_id}/extra-time", responses=errors(*CHANGE, watching.Finished))
async def give_extra_time(body: NewExtra, one: OneToChange, state: StateOf, moment: Received) -> WatchedParticipation:
    """Change one person's deadline, at once. If the deadline has ended it and there is time again, it goes on."""
    async with state.db.write() as session:
        run = await one.find(session)
        await watching.give_time(session, run, state, body.minutes, moment)
        shown = await detail(session, run, state, moment)
    state.hub.stir(run.row.account_id)
    return shown


@router.post("/participations/{participation_id}/finish", responses=errors(*CHANGE, watching.Finished))
async def finish_for_candidate(one: OneToChange, state: StateOf, moment: Received) -> WatchedParticipation:
    """End a participation now: what was written last is sent."""
    async with state.db.write() as session:
        run = await one.find(session)
        await watching.end(session, run, state, moment)
        shown = await detail(session, run, state, moment)
    state.dispatcher.wake()
    state.hub.stir(run.row.account_id)
    return shown


@router.delete("/participations/{participation_id}", status_code=204, responses=errors(*CHANGE))
async def erase_participation(one: OneToErase, state: StateOf) -> Response:
    """Erase everything about this person, at once and for good: invitation, participations, all that was sent and written."""
    async with state.db.write() as session:
        run = await one.find(session)
        await watching.erase(session, run.row)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.get("/outages", responses=errors(*READ, RoleTooLow))
async def list_outages(assessment_id: Id, seat: Owning, state: StateOf, moment: Received) -> Outages:
    """What was reported, by whom, and what it gave back to whom; newest first."""
    async with state.db.read() as session:
        await find(session, seat, assessment_id)
        return Outages(items=await outages.told(session, assessment_id, moment))


@router.post("/outages", status_code=201, responses=errors(*WRITE, outages.NotOverYet, outages.TooManyOutages))
async def report_outage(
    assessment_id: Id, body: NewOutage, _: Browser, seat: Owning, state: StateOf, moment: Received
) -> OutageReport:
    """Give the time of an outage back to everybody whom it hit. What overlaps with another one counts once."""
    async with state.db.write() as session:
        await find_to_change(session, seat, assessment_id)
        outage, affected = await outages.report(session, assessment_id, body, seat.account.id, state, moment)
    state.dispatcher.wake()
    for row in affected:
        state.hub.stir(row.account_id)
    people = [Affected.model_validate(row) for row in affected[: outages.PEOPLE]]
    return OutageReport(
        id=outage.id, begins_at=outage.begins_at, ends_at=outage.ends_at, affected=len(affected), people=people
    )
