"""What happened to a participation: a row in the transaction in which it happened, and one for each webhook that asked for it,
so neither is without the other.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.assessments.models import Assessment
from api.db import now
from api.ids import new_id
from api.webhooks.models import Status, TeamEvent, Webhook, WebhookDelivery

Kind = Literal[
    "participation.started", "participation.finished", "participation.judged", "decision.made", "score.changed"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
TEST = "test"
# Beyond this a webhook has not listened for so long that it had better read the changes.
WAITING = 1000


@dataclass(frozen=True)
class About:
    """Whom an event is about, by ids."""

    assessment_id: str
    invitation_id: str
    participation_id: str


async def happened(session: AsyncSession, kind: Kind, about: About, *, unsettled: bool = False) -> None:
    """Write down that something happened, and queue it for whom the team wants to be told."""
    team_id = await session.scalar(select(Assessment.team_id).where(Assessment.id == about.assessment_id))
    event = TeamEvent(id=new_id(), team_id=team_id, kind=kind, at=now(), unsettled=unsettled, **vars(about))
    session.add(event)
    listening = select(Webhook).where(Webhook.team_id == team_id, Webhook.off_at.is_(None))
    hooks = [hook for hook in await session.scalars(listening) if kind in hook.kinds.split()]
    for hook in hooks:
        session.add(await delivery(session, hook.id, kind, event.id))


async def delivery(session: AsyncSession, webhook_id: str, kind: str, event_id: str | None) -> WebhookDelivery:
    """A new delivery; one that failed at once where too many wait."""
    waiting = select(func.count()).where(
        WebhookDelivery.webhook_id == webhook_id, WebhookDelivery.status == Status.QUEUED
    )
    full, moment = (await session.scalar(waiting) or 0) >= WAITING, now()
    return WebhookDelivery(
        id=new_id(),
        webhook_id=webhook_id,
        event_id=event_id,
        kind=kind,
        status=Status.FAILED if full else Status.QUEUED,
        attempts=0,
        created_at=moment,
        next_at=moment,
        ended_at=moment if full else None,
        code=None,
        took_ms=None,
        error=f"{WAITING:,} messages waited already." if full else "",
        answer="",
    )


def since(team_id: str, after: str, before: str) -> Select[TeamEvent]:
    """What happened in a team, oldest first, between two ids."""
    query = select(TeamEvent).where(TeamEvent.team_id == team_id, TeamEvent.id > after, TeamEvent.id < before)
    return query.order_by(TeamEvent.id)


def message(url: str, delivered: WebhookDelivery, event: TeamEvent | None) -> dict[str, object]:
    """What a webhook is told: ids and links, the same at every attempt."""
    if event is None:
        told = {"note": "This is a test. What really happens is told with ids and links here."}
        return {"type": TEST, "timestamp": _spoken(delivered.created_at), "data": told}
    page = f"{url}/teams/{event.team_id}/assessments/{event.assessment_id}/people/{event.participation_id}"
    data = {
        "team_id": event.team_id,
        "assessment_id": event.assessment_id,
        "invitation_id": event.invitation_id,
        "participation_id": event.participation_id,
        "result": f"{url}/api/tracking/invitations/{event.invitation_id}",
        "report": page,
    }
    return {"type": event.kind, "timestamp": _spoken(event.at), "data": data}


def _spoken(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
