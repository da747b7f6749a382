"""Rules of webhooks: few a team, secrets shown once, a log of what was sent, off after days in which nobody listened."""

from datetime import datetime, timedelta

from sqlalchemy import Select, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.models import Account
from api.db import now
from api.errors import ApiError, FieldError, TooManyRequests
from api.ids import new_id
from api.letters import outbox
from api.settings import Settings
from api.teams import service as teams
from api.teams.models import TeamMember
from api.teams.seats import Seat
from api.webhooks import events, reaching
from api.webhooks.models import Status, Webhook, WebhookDelivery
from api.webhooks.signing import new_secret

WEBHOOKS = 10
TESTS_A_MINUTE = 10
# So long the former secret signs beside the new one, so that a receiver can change over in peace.
BOTH_SECRETS = timedelta(days=1)
# In vain for so long, and nothing more is tried.
PATIENCE = timedelta(days=3)
LETTER = "webhook-off"
GIVEN_UP = "The webhook was switched off."


class WebhookNotFound(ApiError):
    """The team has no such webhook."""

    status, code = 404, "webhook_not_found"


class DeliveryNotFound(ApiError):
    """The webhook has no such delivery."""

    status, code = 404, "delivery_not_found"


class TooManyWebhooks(ApiError):
    """The team has as many as are allowed."""

    status, code = 409, "too_many_webhooks"


class AddressRefused(ApiError):
    """Nothing is sent there."""

    status, code = 422, "address_refused"


class WebhookOff(ApiError):
    """Nothing is sent to a webhook that is off."""

    status, code = 409, "webhook_off"


class StillQueued(ApiError):
    """It will be sent anyway."""

    status, code = 409, "still_queued"


def require_good(url: str, settings: Settings) -> None:
    """Nothing if messages may go there. Raises `AddressRefused`."""
    if wrong := reaching.complaint(url, settings):
        told = FieldError(field="url", message=wrong)
        raise AddressRefused(f"The address {wrong}. Give the address of your own service.", fields=[told])


async def create(session: AsyncSession, seat: Seat, url: str, kinds: list[str]) -> Webhook:
    """A new webhook, on. Raises `TeamNotFound`, `TooManyWebhooks`."""
    await teams.lock(session, seat.team.id)
    if len(await all_of(session, seat.team.id)) >= WEBHOOKS:
        raise TooManyWebhooks(f"This team has {WEBHOOKS} webhooks. Delete one first.")
    hook = Webhook(
        id=new_id(),
        team_id=seat.team.id,
        url=url,
        kinds=" ".join(sorted(kinds)),
        secret=new_secret(),
        former_secret=None,
        rotated_at=None,
        created_at=now(),
        failing_since=None,
        off_at=None,
    )
    session.add(hook)
    return hook


async def all_of(session: AsyncSession, team_id: str) -> list[Webhook]:
    """A team's webhooks, the oldest first."""
    return list(await session.scalars(select(Webhook).where(Webhook.team_id == team_id).order_by(Webhook.id)))


async def find(session: AsyncSession, seat: Seat, webhook_id: str) -> Webhook:
    """A webhook of the team's, locked until the end of the transaction. Raises `WebhookNotFound`."""
    query = select(Webhook).where(Webhook.id == webhook_id, Webhook.team_id == seat.team.id)
    hook: Webhook | None = await session.scalar(query.with_for_update())
    if hook is None:
        raise WebhookNotFound("This team has no webhook with this id.")
    return hook


async def switch(session: AsyncSession, hook: Webhook, *, on: bool) -> None:
    """On, or off: then what waited is not sent any more."""
    if on:
        hook.off_at = hook.failing_since = None
    elif hook.off_at is None:
        hook.off_at = now()
        waiting = update(WebhookDelivery).where(
            WebhookDelivery.webhook_id == hook.id, WebhookDelivery.status == Status.QUEUED
        )
        await session.execute(waiting.values(status=Status.FAILED, ended_at=now(), error=GIVEN_UP))


def rotate(hook: Webhook) -> None:
    """Another secret; for a day the former one signs too."""
    hook.former_secret, hook.secret, hook.rotated_at = hook.secret, new_secret(), now()


def secrets_of(hook: Webhook, moment: datetime) -> list[str]:
    """The secrets that sign at this moment, the newest first."""
    both = hook.former_secret and hook.rotated_at and moment < hook.rotated_at + BOTH_SECRETS
    return [hook.secret, *([hook.former_secret] if both and hook.former_secret else [])]


def log(webhook_id: str, before: str) -> Select[WebhookDelivery]:
    """What was sent to a webhook, newest first."""
    query = select(WebhookDelivery).where(WebhookDelivery.webhook_id == webhook_id).order_by(WebhookDelivery.id.desc())
    return query.where(WebhookDelivery.id < before) if before else query


async def send_test(session: AsyncSession, hook: Webhook) -> WebhookDelivery:
    """Queue a message that says that it is a test. Raises `WebhookOff`, `TooManyRequests`."""
    _require_on(hook)
    lately = WebhookDelivery.event_id.is_(None) & (WebhookDelivery.created_at > now() - timedelta(minutes=1))
    count = select(func.count()).where(WebhookDelivery.webhook_id == hook.id, lately)
    if (await session.scalar(count) or 0) >= TESTS_A_MINUTE:
        raise TooManyRequests("That were many tests in a minute. Wait a little.", retry_after_s=60)
    made = await events.delivery(session, hook.id, events.TEST, None)
    session.add(made)
    return made


async def send_again(session: AsyncSession, hook: Webhook, delivery_id: str) -> WebhookDelivery:
    """Queue the same message, with its id, once more. Raises `WebhookOff`, `DeliveryNotFound`, `StillQueued`."""
    _require_on(hook)
    found: WebhookDelivery | None = await session.get(WebhookDelivery, delivery_id)
    if found is None or found.webhook_id != hook.id:
        raise DeliveryNotFound("This webhook has no delivery with this id.")
    if found.status == Status.QUEUED:
        raise StillQueued("It waits to be sent; there is nothing to do.")
    found.status, found.attempts, found.next_at, found.ended_at = Status.QUEUED, 0, now(), None
    return found


async def give_up(session: AsyncSession, hook: Webhook) -> None:
    """Nobody listens: off, with a letter to the team's owners."""
    await switch(session, hook, on=False)
    owning = select(Account).join(TeamMember, TeamMember.account_id == Account.id)
    query = owning.where(TeamMember.team_id == hook.team_id, TeamMember.role == "owner")
    for owner in (await session.scalars(query)).all():
        await outbox.put(session, LETTER, owner.email, owner.id, webhook=hook.id)


def _require_on(hook: Webhook) -> None:
    if hook.off_at is not None:
        raise WebhookOff("This webhook is off. Switch it on first.")
