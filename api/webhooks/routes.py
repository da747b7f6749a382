"""A team's webhooks: setting up, trying out, what was sent. Messages are signed as standardwebhooks.com says, see
docs/connections.md.
"""

from typing import Annotated

from fastapi import APIRouter, Query, status

from api.accounts.identity import Browser, SessionRequired
from api.bodies import JsonRoute
from api.errors import BadCursor, CrossSite, NotSignedIn, TooManyRequests, errors
from api.ids import Id
from api.pagination import decode_cursor, encode_cursor
from api.state import StateOf
from api.teams.seats import Owning, RoleTooLow, TeamNotFound
from api.text import CleanText
from api.webhooks import service
from api.webhooks.schemas import (
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

router = APIRouter(tags=["connections"], route_class=JsonRoute, prefix="/teams/{team_id}/webhooks")
READ = (NotSignedIn, TeamNotFound, RoleTooLow)
WRITE = (CrossSite, SessionRequired, *READ)
ONE = (*WRITE, service.WebhookNotFound)


@router.get("", responses=errors(*READ))
async def list_webhooks(seat: Owning, state: StateOf) -> WebhookList:
    """Where the team is told what happens."""
    async with state.db.read() as session:
        return WebhookList(items=[webhook_view(hook) for hook in await service.all_of(session, seat.team.id)])


@router.post("", status_code=201, responses=errors(*WRITE, service.TooManyWebhooks, service.AddressRefused))
async def create_webhook(body: NewWebhook, _: Browser, seat: Owning, state: StateOf) -> WebhookMade:
    """Be told from now on. The secret, by which you tell that a message is ours, is shown this once."""
    service.require_good(body.url, state.settings)
    async with state.db.write() as session:
        hook = await service.create(session, seat, body.url, list(body.events))
    return WebhookMade(**webhook_view(hook).model_dump(), secret=hook.secret)


@router.put("/{webhook_id}", responses=errors(*ONE, service.AddressRefused))
async def change_webhook(webhook_id: Id, body: ChangedWebhook, _: Browser, seat: Owning, state: StateOf) -> WebhookView:
    """Another address, other events, on or off. What waited when it is switched off is not sent."""
    service.require_good(body.url, state.settings)
    async with state.db.write() as session:
        hook = await service.find(session, seat, webhook_id)
        hook.url, hook.kinds = body.url, " ".join(body.events)
        await service.switch(session, hook, on=body.on)
    return webhook_view(hook)


@router.delete("/{webhook_id}", status_code=status.HTTP_204_NO_CONTENT, responses=errors(*ONE))
async def delete_webhook(webhook_id: Id, _: Browser, seat: Owning, state: StateOf) -> None:
    """Be told no more; its log goes with it."""
    async with state.db.write() as session:
        await session.delete(await service.find(session, seat, webhook_id))


@router.post("/{webhook_id}/secret", responses=errors(*ONE))
async def rotate_webhook_secret(webhook_id: Id, _: Browser, seat: Owning, state: StateOf) -> WebhookMade:
    """Another secret, shown this once. For a day messages are signed by both."""
    async with state.db.write() as session:
        hook = await service.find(session, seat, webhook_id)
        service.rotate(hook)
    return WebhookMade(**webhook_view(hook).model_dump(), secret=hook.secret)


@router.post("/{webhook_id}/test", status_code=201, responses=errors(*ONE, service.WebhookOff, TooManyRequests))
async def try_webhook(webhook_id: Id, _: Browser, seat: Owning, state: StateOf) -> DeliveryView:
    """Send a message of type `test`; the log tells how it went."""
    async with state.db.write() as session:
        return delivery_view(await service.send_test(session, await service.find(session, seat, webhook_id)))


@router.get("/{webhook_id}/deliveries", responses=errors(*READ, service.WebhookNotFound, BadCursor))
async def list_deliveries(
    webhook_id: Id,
    seat: Owning,
    state: StateOf,
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> DeliveryPage:
    """What was sent in the last thirty days, newest first."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with state.db.read() as session:
        await service.find(session, seat, webhook_id)
        rows = (await session.scalars(service.log(webhook_id, before).limit(limit + 1))).all()
    items = [delivery_view(row) for row in rows[:limit]]
    return DeliveryPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.post(
    "/{webhook_id}/deliveries/{delivery_id}/again",
    responses=errors(*ONE, service.WebhookOff, service.DeliveryNotFound, service.StillQueued),
)
async def redeliver(webhook_id: Id, delivery_id: Id, _: Browser, seat: Owning, state: StateOf) -> DeliveryView:
    """Send a message once more, with the same id."""
    async with state.db.write() as session:
        hook = await service.find(session, seat, webhook_id)
        return delivery_view(await service.send_again(session, hook, delivery_id))
