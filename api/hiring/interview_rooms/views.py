"""Builds the response bodies of rooms. What a candidate or an observer must not see is left out here."""

import json
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.schemas import ChallengeView
from api.content.catalogue.schemas import view as challenge_view
from api.content.catalogue.service import CatalogueStore
from api.hiring.interview_rooms import service
from api.hiring.interview_rooms.schemas import (
    LEVELS,
    PersonView,
    RoomChallengeView,
    RoomCriterion,
    RoomNoteView,
    RoomReview,
    RoomScoreView,
    RoomSubmission,
    RoomTranscript,
    RoomView,
    TranscriptEvent,
)
from api.hiring.room_records import transcript
from api.hiring.room_records.access import RoomCaller
from api.hiring.room_records.models import Room, RoomChallenge, RoomEvent, RoomNote, RoomScore
from api.hiring.teams.models import Team
from api.identity.accounts.models import Account
from api.judging.intake import views as submissions
from api.judging.intake.schemas import SubmissionCard
from api.judging.submissions.models import Judging, Submission
from api.kit.db.database import now

# Number of colours of the web client for people.
COLORS = 8
# Number of submissions that a room shows.
SENT = 30
# Shown instead of the name of a member whose account was deleted.
FORMER = "Former member"


async def room(session: AsyncSession, caller: RoomCaller, store: CatalogueStore) -> RoomView:
    found = await session.get_one(Room, caller.room.id, populate_existing=True)
    team = await session.get_one(Team, found.team_id)
    rows = (await session.scalars(service.challenges(found.id))).all()
    shown = next((row for row in rows if row.position == found.position), None)
    return RoomView(
        id=found.id,
        team_id=found.team_id if caller.is_interviewer else None,
        team=team.name,
        title=found.title,
        minutes=found.minutes,
        call_url=found.call_url,
        role=caller.role,
        you=caller.participant.id,
        created_at=found.created_at,
        ended_at=found.ended_at,
        server_time=now(),
        timer_ends_at=found.timer_ends_at,
        position=found.position,
        challenge=_challenge(shown, store) if shown else None,
        extension=found.extension,
        challenges=[_card(row, store) for row in rows if caller.is_interviewer or row.opened_at is not None],
        people=await people(session, found.id),
        sent=await _sent(session, found),
    )


def _challenge(row: RoomChallenge, store: CatalogueStore) -> ChallengeView | None:
    """Return a challenge without hints, or None if it is no longer stored."""
    found = store.pinned(row.slug, row.digest)
    return challenge_view(found).model_copy(update={"hints_count": 0}) if found else None


def _card(row: RoomChallenge, store: CatalogueStore) -> RoomChallengeView:
    found = store.pinned(row.slug, row.digest)
    title = found.package.info.title if found else row.slug
    return RoomChallengeView(position=row.position, slug=row.slug, title=title, opened_at=row.opened_at)


async def people(session: AsyncSession, room_id: str) -> list[PersonView]:
    """Return everybody who has entered the room, in the order of entering."""
    rows = (await session.execute(transcript.people(room_id))).all()
    return [
        PersonView.model_validate(
            {
                "id": row.id,
                "name": account or (FORMER if row.role == "interviewer" else row.name),
                "role": row.role,
                "color": place % COLORS,
            }
        )
        for place, (row, account) in enumerate(rows)
    ]


async def _submissions(session: AsyncSession, found: Room) -> dict[str, SubmissionCard]:
    query = select(Submission, Judging).join(Judging, (Judging.submission_id == Submission.id) & ~Judging.superseded)
    rows = await session.execute(query.where(Submission.account_id == found.account_id))
    return {submission.id: submissions.card(submission, row) for submission, row in rows}


async def _sent(session: AsyncSession, found: Room) -> list[RoomSubmission]:
    of_room = RoomEvent.room_id == found.id, RoomEvent.kind.in_(("run", "submit"))
    query = select(RoomEvent).where(*of_room).order_by(RoomEvent.id.desc()).limit(SENT)
    events: Sequence[RoomEvent] = (await session.scalars(query)).all()
    cards = await _submissions(session, found) if events else {}
    sent = []
    for event in events:
        detail = json.loads(event.detail)
        card = cards.get(detail["submission_id"])
        if card is not None:
            sent.append(
                RoomSubmission(at=event.at, by=event.participant_id, position=detail["position"], submission=card)
            )
    return sent


async def told(session: AsyncSession, found: Room) -> RoomTranscript:
    """Return the transcript of a room."""
    rows = (await session.scalars(transcript.events(found.id))).all()
    cards = await _submissions(session, found)
    events = []
    for row in rows:
        detail = json.loads(row.detail)
        card = cards.get(detail.pop("submission_id", ""))
        common = {"id": row.id, "at": row.at, "by": row.participant_id, "kind": row.kind, "submission": card}
        events.append(TranscriptEvent.model_validate({**common, **detail}))
    return RoomTranscript(people=await people(session, found.id), events=events)


async def review(session: AsyncSession, found: Room, account_id: str | None) -> RoomReview:
    """Return the notes and scores of a room. `account_id` is the account of the reader."""
    notes = select(RoomNote, Account.name).outerjoin(Account, Account.id == RoomNote.author_id)
    noted = await session.execute(notes.where(RoomNote.room_id == found.id).order_by(RoomNote.id))
    scores = select(RoomScore, Account.name).outerjoin(Account, Account.id == RoomScore.reviewer_id)
    scored = (await session.execute(scores.where(RoomScore.room_id == found.id).order_by(RoomScore.id))).all()
    return RoomReview(
        notes=[
            RoomNoteView(id=row.id, author=name, yours=row.author_id == account_id, text=row.text, at=row.at)
            for row, name in noted
        ],
        criteria=[
            RoomCriterion(
                title=title,
                levels=LEVELS,
                scores=[
                    RoomScoreView(reviewer=name, yours=row.reviewer_id == account_id, level=row.level)
                    for row, name in scored
                    if row.criterion == place
                ],
            )
            for place, title in enumerate(json.loads(found.criteria))
        ],
    )
