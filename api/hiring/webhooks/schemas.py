"""Request and response bodies of webhooks."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StringConstraints
from pydantic.functional_validators import AfterValidator

from api.hiring.webhooks.events import Kind
from api.hiring.webhooks.models import Webhook, WebhookDelivery
from api.kit.text import CleanLine

Url = Annotated[str, StringConstraints(min_length=1, max_length=500, pattern=r"^[!-~]+$"), CleanLine]
Kinds = Annotated[list[Kind], Field(min_length=1, max_length=10), AfterValidator(lambda kinds: sorted(set(kinds)))]
EXAMPLE: dict[str, Any] = {"url": "https://ats.example.org/gradus", "events": ["participation.judged"]}


class NewWebhook(BaseModel):
    """The address to which messages are sent, which must be public and use https, and the events to send."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": EXAMPLE})
    url: Url
    events: Kinds


class ChangedWebhook(NewWebhook):
    """The parts of a webhook that can be changed. Switching it on again ends the state `failing`."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {**EXAMPLE, "on": True}})
    on: StrictBool


class WebhookView(BaseModel):
    """A webhook. In the state `failing`, the last messages were not delivered. After three days in this state, or at once if
    the receiver answers 410 (gone), the webhook is switched off.
    """

    id: str
    url: str
    events: list[Kind]
    state: Literal["on", "failing", "off"]
    created_at: datetime
    failing_since: datetime | None
    off_at: datetime | None
    rotated_at: datetime | None


class WebhookMade(WebhookView):
    """A webhook with its secret, which is shown only once."""

    secret: str


class WebhookList(BaseModel):
    """All webhooks of a team, the oldest first."""

    items: list[WebhookView]


class DeliveryView(BaseModel):
    """A message to a webhook. `message_id` is sent as `webhook-id` at every attempt. `code`, `error`, `took_ms` and the
    beginning of the response (`answer`) are from the last attempt. `next_at` is the time of the next attempt, or null.
    """

    id: str
    message_id: str
    kind: str
    status: Literal["queued", "sent", "failed"]
    attempts: int
    created_at: datetime
    next_at: datetime | None
    ended_at: datetime | None
    code: int | None
    took_ms: int | None
    error: str
    answer: str


class DeliveryPage(BaseModel):
    """One page of messages, newest first; `next_cursor` is null on the last page."""

    items: list[DeliveryView]
    next_cursor: str | None


def webhook_view(hook: Webhook) -> WebhookView:
    """Build the view of a webhook, without its secret."""
    state = "off" if hook.off_at else "failing" if hook.failing_since else "on"
    names = ("id", "url", "created_at", "failing_since", "off_at", "rotated_at")
    shown = {name: getattr(hook, name) for name in names}
    return WebhookView.model_validate({**shown, "events": hook.kinds.split(), "state": state})


def delivery_view(row: WebhookDelivery) -> DeliveryView:
    names = ("id", "kind", "status", "attempts", "created_at", "ended_at", "code", "took_ms", "error", "answer")
    shown = {name: getattr(row, name) for name in names}
    next_at = row.next_at if row.status == "queued" else None
    return DeliveryView.model_validate({**shown, "message_id": row.event_id or row.id, "next_at": next_at})
