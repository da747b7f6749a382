"""Computes how a team's candidates have done with each challenge and quiz so far, over all assessments of the team."""

from collections import defaultdict

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.assessments.models import Assessment
from api.hiring.participations.models import Participation, ParticipationItem
from api.hiring.participations.time_spent import spent_on
from api.hiring.results import figures
from api.hiring.results.schemas import ItemHistory
from api.hiring.taking import scores

# The maximum number of participations that are read per team. The newest are read.
MOST = 500


async def history_of(session: AsyncSession, team_id: str) -> list[ItemHistory]:
    """Return the figures of each item that candidates who finished were given, without test drives."""
    query = select(Participation.id, Participation.account_id)
    query = query.join(Assessment, Assessment.id == Participation.assessment_id)
    ended = Participation.finished_at.is_not(None), ~Participation.is_test, Assessment.team_id == team_id
    rows = (await session.execute(query.where(*ended).order_by(Participation.id.desc()).limit(MOST))).all()
    items: dict[str, list[ParticipationItem]] = {row.account_id: [] for row in rows}
    accounts = {row.id: row.account_id for row in rows}
    drawn = select(ParticipationItem).where(ParticipationItem.participation_id.in_(accounts))
    # The same name can stand for different questions in two assessments.
    drawn = drawn.where(ParticipationItem.kind != "question")
    for item in await session.scalars(drawn):
        items[accounts[item.participation_id]].append(item)
    found = await scores.scored_of(session, items)
    spent = await spent_on(session, list(accounts), {})
    shares: dict[tuple[str, str], list[float]] = defaultdict(list)
    times: dict[tuple[str, str], list[int]] = defaultdict(list)
    for participation_id, account_id in accounts.items():
        for one in found[account_id]:
            shares[one.kind, one.name].append(one.adjusted / one.points)
            if one.opened_at:
                times[one.kind, one.name].append(spent.get((participation_id, one.position), 0))
    return [
        ItemHistory(
            kind="quiz" if kind == "quiz" else "challenge",
            name=name,
            people=len(shares[kind, name]),
            solved=sum(share >= 1 for share in shares[kind, name]),
            mean=figures.mean(shares[kind, name]) or 0.0,
            median_s=figures.median(times[kind, name]),
        )
        for kind, name in sorted(shares)
    ]
