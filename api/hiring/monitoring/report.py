"""Builds the report of one participation: its items with times and last drafts, and links to the neighbouring participations."""

from collections import Counter
from datetime import datetime

from sqlalchemy import Select, and_, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import CatalogueStore
from api.hiring.invitations.models import Invitation
from api.hiring.monitoring import service
from api.hiring.monitoring.schemas import AttemptLink, WatchedItem, WatchedParticipation, WatchedSection
from api.hiring.participations import newest_code
from api.hiring.participations.models import Participation, ParticipationDraft
from api.hiring.participations.service import LoadedParticipation
from api.hiring.participations.time_spent import spent_on
from api.hiring.plans.pinned_items import is_unproven, starter_of, title_in, variant_of
from api.hiring.taking.question_items import is_answered_with_text
from api.hiring.taking.schemas import KeptDraft

ATTEMPTS = 20


async def detail(
    session: AsyncSession, run: LoadedParticipation, store: CatalogueStore, moment: datetime
) -> WatchedParticipation:
    """Return a participation with its items and last drafts, and the IDs of the next newer and older participation."""
    ((row, found),) = await service.scored_rows(session, [run.row], moment)
    service.set_titles([row], store)
    drafts = await _drafts(session, run.row.id)
    spent = await spent_on(session, [run.row.id], {run.row.id: min(moment, run.end)})
    items = []
    for item in found:
        drawn = run.item(item.position)
        before = answer = None
        if item.is_follow_up:
            before = (await newest_code.of_item(session, run.row, run.item(item.position - 1))).written
            answer = (await newest_code.of_item(session, run.row, drawn)).written
        watched = WatchedItem(
            **item.model_dump(),
            title=title_in(run.plan, drawn, store),
            is_text=is_answered_with_text(run, drawn),
            unproven=is_unproven(drawn, store),
            variant=variant_of(drawn, store),
            starter=starter_of(drawn, store) if before is None else before,
            spent_s=spent.get((run.row.id, item.position), 0),
            draft=drafts.get(item.position),
            lines_changed=None if before is None or answer is None else _lines_changed(before, answer),
        )
        items.append(watched)
    return WatchedParticipation(
        **row.model_dump(),
        server_time=moment,
        recorded=run.plan.recorded,
        sections=[WatchedSection(key=one.key, title=one.title, assistant=one.assistant) for one in run.plan.sections],
        items=items,
        attempts=await _attempts(session, run.row),
        newer=await session.scalar(
            _beside(run.row).where(Participation.id > run.row.id).order_by(Participation.id).limit(1)
        ),
        older=await session.scalar(
            _beside(run.row).where(Participation.id < run.row.id).order_by(Participation.id.desc()).limit(1)
        ),
    )


def _lines_changed(before: str, after: str) -> int:
    """Return how many lines of `after` do not occur in `before`, or occur there less often. Empty lines do not count."""
    lines = Counter(line.strip() for line in after.splitlines()) - Counter(line.strip() for line in before.splitlines())
    return sum(count for line, count in lines.items() if line)


async def _drafts(session: AsyncSession, participation_id: str) -> dict[int, KeptDraft]:
    rows = await session.scalars(
        select(ParticipationDraft).where(ParticipationDraft.participation_id == participation_id)
    )
    return {row.position: KeptDraft(source=row.source, revision=row.revision, saved_at=row.saved_at) for row in rows}


def _beside(row: Participation) -> Select[str]:
    return select(Participation.id).where(Participation.assessment_id == row.assessment_id, ~Participation.is_test)


async def _attempts(session: AsyncSession, row: Participation) -> list[AttemptLink]:
    """Return other participations of the same person in this assessment. These were started with the same invitation, or with
    another one that has the same email address.
    """
    own = await session.get_one(Invitation, row.invitation_id)
    same = Participation.invitation_id == own.id
    if own.email:
        same = or_(same, and_(Invitation.email == own.email, Invitation.assessment_id == own.assessment_id))
    query = select(Participation).join(Invitation, Invitation.id == Participation.invitation_id)
    others = query.where(same, Participation.id != row.id).order_by(Participation.id).limit(ATTEMPTS)
    return [AttemptLink.model_validate(other) for other in await session.scalars(others)]
