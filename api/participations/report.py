"""The report of one participation: its items with time and what was written last, and where to go on reading."""

from datetime import datetime

from sqlalchemy import Select, and_, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.invitations.models import Invitation
from api.participations import watching
from api.participations.models import Participation, ParticipationDraft
from api.participations.schemas import KeptDraft
from api.participations.service import Run
from api.participations.spent import spent_on
from api.participations.views import starter_of, title_of
from api.participations.watching_schemas import AttemptLink, WatchedItem, WatchedParticipation, WatchedSection
from api.state import State

ATTEMPTS = 20


async def detail(session: AsyncSession, run: Run, state: State, moment: datetime) -> WatchedParticipation:
    """A participation with its items, what was written last, and its neighbours in the table."""
    ((row, found),) = await watching.scored_rows(session, [run.row], moment)
    watching.entitle([row], state)
    drafts, spent = await _drafts(session, run.row.id), await spent_on(session, run, moment)
    items = [
        WatchedItem(
            **item.model_dump(),
            title=title_of(run.item(item.position), state),
            starter=starter_of(run.item(item.position), state),
            spent_s=spent.get(item.position, 0),
            draft=drafts.get(item.position),
        )
        for item in found
    ]
    return WatchedParticipation(
        **row.model_dump(),
        server_time=moment,
        recorded=run.plan.recorded,
        sections=[WatchedSection(key=one.key, title=one.title) for one in run.plan.sections],
        items=items,
        attempts=await _attempts(session, run.row),
        newer=await session.scalar(
            _beside(run.row).where(Participation.id > run.row.id).order_by(Participation.id).limit(1)
        ),
        older=await session.scalar(
            _beside(run.row).where(Participation.id < run.row.id).order_by(Participation.id.desc()).limit(1)
        ),
    )


async def _drafts(session: AsyncSession, participation_id: str) -> dict[int, KeptDraft]:
    rows = await session.scalars(
        select(ParticipationDraft).where(ParticipationDraft.participation_id == participation_id)
    )
    return {row.position: KeptDraft(source=row.source, revision=row.revision, saved_at=row.saved_at) for row in rows}


def _beside(row: Participation) -> Select[str]:
    return select(Participation.id).where(Participation.assessment_id == row.assessment_id)


async def _attempts(session: AsyncSession, row: Participation) -> list[AttemptLink]:
    """Other participations of the same person: by the same invitation, or by another to the same address."""
    own = await session.get_one(Invitation, row.invitation_id)
    same = Participation.invitation_id == own.id
    if own.email:
        same = or_(same, and_(Invitation.email == own.email, Invitation.assessment_id == own.assessment_id))
    query = select(Participation).join(Invitation, Invitation.id == Participation.invitation_id)
    others = query.where(same, Participation.id != row.id).order_by(Participation.id).limit(ATTEMPTS)
    return [AttemptLink.model_validate(other) for other in await session.scalars(others)]
