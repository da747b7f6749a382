"""Routes for a team's webhooks: set them up, test them, and read the delivery log. Messages are signed as specified by
standardwebhooks.com; see docs/connections.md.
"""

from typing import Annotated

from fastapi import APIRouter, Query, status

from api.hiring.teams import activity_log
from api.hiring.teams.membership import AsOwner, RoleTooLow, TeamNotFound
from api.hiring.webhooks import service
from api.hiring.webhooks.schemas import (
    ChangedWebhook,
    DeliveryPage,
    DeliveryView,
    NewWebhook,
    WebhookList,
    WebhookMade,
    WebhookView,
    delivery_view,
    webhook_view,
)
from api.identity.sessions.current_account import Browser, SessionRequired
from api.kit.errors import BadCursor, CrossSite, NotSignedIn, TooManyRequests, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.kit.http.json_body import JsonRoute
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.kit.ids import Id
from api.kit.text import CleanText

router = APIRouter(tags=["connections"], route_class=JsonRoute, prefix="/teams/{team_id}/webhooks")
READ = (NotSignedIn, TeamNotFound, RoleTooLow)
WRITE = (CrossSite, SessionRequired, *READ)
ONE = (*WRITE, service.WebhookNotFound)


@router.get("", responses=errors(*READ))
async def list_webhooks(membership: AsOwner, db: DatabaseDep) -> WebhookList:
    """List all webhooks of the team."""
    async with db.read() as session:
        return WebhookList(items=[webhook_view(hook) for hook in await service.all_of(session, membership.team.id)])


@router.post("", status_code=201, responses=errors(*WRITE, service.TooManyWebhooks, service.AddressRefused))
async def create_webhook(
    body: NewWebhook, _: Browser, membership: AsOwner, db: DatabaseDep, settings: SettingsDep
) -> WebhookMade:
    """Create a webhook. The secret, with which you verify messages, is shown only once."""
    service.require_allowed(body.url, settings)
    async with db.write() as session:
        hook = await service.create(session, membership, body.url, list(body.events))
        activity_log.record(session, membership, "webhook.create", hook.id, body.url)
    return WebhookMade(**webhook_view(hook).model_dump(), secret=hook.secret)


@router.put("/{webhook_id}", responses=errors(*ONE, service.AddressRefused))
async def change_webhook(
    webhook_id: Id, body: ChangedWebhook, _: Browser, membership: AsOwner, db: DatabaseDep, settings: SettingsDep
) -> WebhookView:
    """Change the address or events of a webhook, or switch it on or off. Switching it off cancels queued messages."""
    service.require_allowed(body.url, settings)
    async with db.write() as session:
        hook = await service.find(session, membership, webhook_id)
        hook.url, hook.kinds = body.url, " ".join(body.events)
        await service.switch(session, hook, on=body.on)
        activity_log.record(session, membership, "webhook.change", hook.id, body.url)
    return webhook_view(hook)


@router.delete("/{webhook_id}", status_code=status.HTTP_204_NO_CONTENT, responses=errors(*ONE))
async def delete_webhook(webhook_id: Id, _: Browser, membership: AsOwner, db: DatabaseDep) -> None:
    """Delete a webhook with its log."""
    async with db.write() as session:
        hook = await service.find(session, membership, webhook_id)
        activity_log.record(session, membership, "webhook.delete", hook.id, hook.url)
        await session.delete(hook)


@router.post("/{webhook_id}/secret", responses=errors(*ONE))
async def rotate_webhook_secret(webhook_id: Id, _: Browser, membership: AsOwner, db: DatabaseDep) -> WebhookMade:
    """Create a new secret, which is shown only once. For a day, messages are signed with both secrets."""
    async with db.write() as session:
        hook = await service.find(session, membership, webhook_id)
        service.rotate(hook)
    return WebhookMade(**webhook_view(hook).model_dump(), secret=hook.secret)


@router.post("/{webhook_id}/test", status_code=201, responses=errors(*ONE, service.WebhookOff, TooManyRequests))
async def try_webhook(webhook_id: Id, _: Browser, membership: AsOwner, db: DatabaseDep) -> DeliveryView:
    """Send a message of type `test`. The log shows the result."""
    async with db.write() as session:
        return delivery_view(await service.send_test(session, await service.find(session, membership, webhook_id)))


@router.get("/{webhook_id}/deliveries", responses=errors(*READ, service.WebhookNotFound, BadCursor))
async def list_deliveries(
    webhook_id: Id,
    membership: AsOwner,
    db: DatabaseDep,
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> DeliveryPage:
    """List the messages of the last thirty days, newest first."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with db.read() as session:
        await service.find(session, membership, webhook_id)
        rows = (await session.scalars(service.log(webhook_id, before).limit(limit + 1))).all()
    items = [delivery_view(row) for row in rows[:limit]]
    return DeliveryPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.post(
    "/{webhook_id}/deliveries/{delivery_id}/again",
    responses=errors(*ONE, service.WebhookOff, service.DeliveryNotFound, service.StillQueued),
)
async def redeliver(webhook_id: Id, delivery_id: Id, _: Browser, membership: AsOwner, db: DatabaseDep) -> DeliveryView:
    """Send a message again, with the same ID."""
    async with db.write() as session:
        hook = await service.find(session, membership, webhook_id)
        return delivery_view(await service.send_again(session, hook, delivery_id))
