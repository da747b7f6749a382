"""Records events of participations. An event is stored in the same transaction as the change that it reports, together with
one delivery for each webhook that subscribes to it.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.assessments.models import Assessment
from api.hiring.webhooks.models import Status, TeamEvent, Webhook, WebhookDelivery
from api.kit.db.database import now
from api.kit.ids import new_id

Kind = Literal[
    "participation.started", "participation.finished", "participation.judged", "decision.made", "score.changed"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
TEST = "test"
# The maximum number of queued deliveries per webhook. Further deliveries fail at once. A receiver with a longer backlog should
# use the list of changes instead (see `api.hiring.ats`).
WAITING = 1000


@dataclass(frozen=True)
class EventSubject:
    """The IDs of the objects that an event refers to."""

    assessment_id: str
    invitation_id: str
    participation_id: str


async def record_event(session: AsyncSession, kind: Kind, subject: EventSubject, *, unsettled: bool = False) -> None:
    """Store an event, and queue it for the team's webhooks that subscribe to it. With `unsettled`, the event
    `participation.judged` is recorded later, when all answers are judged.
    """
    team_id = await session.scalar(select(Assessment.team_id).where(Assessment.id == subject.assessment_id))
    event = TeamEvent(id=new_id(), team_id=team_id, kind=kind, at=now(), unsettled=unsettled, **vars(subject))
    session.add(event)
    listening = select(Webhook).where(Webhook.team_id == team_id, Webhook.off_at.is_(None))
    hooks = [hook for hook in await session.scalars(listening) if kind in hook.kinds.split()]
    for hook in hooks:
        session.add(await delivery(session, hook.id, kind, event.id))


async def delivery(session: AsyncSession, webhook_id: str, kind: str, event_id: str | None) -> WebhookDelivery:
    """Build a delivery. It is marked as failed if the webhook already has WAITING queued deliveries."""
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
    """Return a query for a team's events between two IDs, oldest first."""
    query = select(TeamEvent).where(TeamEvent.team_id == team_id, TeamEvent.id > after, TeamEvent.id < before)
    return query.order_by(TeamEvent.id)


def message(url: str, delivered: WebhookDelivery, event: TeamEvent | None) -> dict[str, object]:
    """Return the body of a webhook message. It contains IDs and links, and is the same at every attempt."""
    if event is None:
        data = {"note": "This is a test. Messages about events contain IDs and links here."}
        return {"type": TEST, "timestamp": _timestamp(delivered.created_at), "data": data}
    page = f"{url}/teams/{event.team_id}/assessments/{event.assessment_id}/people/{event.participation_id}"
    data = {
        "team_id": event.team_id,
        "assessment_id": event.assessment_id,
        "invitation_id": event.invitation_id,
        "participation_id": event.participation_id,
        "result": f"{url}/api/tracking/invitations/{event.invitation_id}",
        "report": page,
    }
    return {"type": event.kind, "timestamp": _timestamp(event.at), "data": data}


def _timestamp(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
