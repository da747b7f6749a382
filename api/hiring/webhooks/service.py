"""Creates, changes and switches off webhooks. The number of webhooks per team is limited, secrets are shown only once, and
every delivery is logged. A webhook is switched off when it has failed for three days or the receiver answers 410 (gone).
"""

from datetime import datetime, timedelta

from sqlalchemy import Select, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.teams import service as teams
from api.hiring.teams.membership import Membership
from api.hiring.teams.models import TeamMember
from api.hiring.webhooks import events, safe_requests
from api.hiring.webhooks.models import Status, Webhook, WebhookDelivery
from api.hiring.webhooks.signing import new_secret
from api.identity.accounts.models import Account
from api.identity.mail import outbox
from api.kit.db.database import now
from api.kit.errors import ApiError, FieldError, TooManyRequests
from api.kit.ids import new_id
from api.settings import Settings

WEBHOOKS = 10
TESTS_A_MINUTE = 10
# For this long after the secret has changed, messages are signed with both secrets, so that a receiver has time to switch to
# the new one.
BOTH_SECRETS = timedelta(days=1)
# A webhook is switched off when it has failed for longer than this.
PATIENCE = timedelta(days=3)
MAIL_KIND = "webhook-off"
GIVEN_UP = "The webhook was disabled."


class WebhookNotFound(ApiError):
    status, code = 404, "webhook_not_found"


class DeliveryNotFound(ApiError):
    status, code = 404, "delivery_not_found"


class TooManyWebhooks(ApiError):
    """The team has reached the maximum number of webhooks."""

    status, code = 409, "too_many_webhooks"


class AddressRefused(ApiError):
    """Messages cannot be sent to this address."""

    status, code = 422, "address_refused"


class WebhookOff(ApiError):
    """The webhook is switched off."""

    status, code = 409, "webhook_off"


class StillQueued(ApiError):
    """The message is still queued."""

    status, code = 409, "still_queued"


def require_allowed(url: str, settings: Settings) -> None:
    """Raise `AddressRefused` if messages must not be sent to this URL."""
    if wrong := safe_requests.url_problem(url, settings):
        problem = FieldError(field="url", message=wrong)
        raise AddressRefused(f"The address {wrong}. Give the address of your own service.", fields=[problem])


async def create(session: AsyncSession, membership: Membership, url: str, kinds: list[str]) -> Webhook:
    """Create a webhook, which is switched on. Raises `TeamNotFound`, `TooManyWebhooks`."""
    await teams.lock(session, membership.team.id)
    if len(await all_of(session, membership.team.id)) >= WEBHOOKS:
        raise TooManyWebhooks(f"This team has {WEBHOOKS} webhooks. Delete one first.")
    hook = Webhook(
        id=new_id(),
        team_id=membership.team.id,
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
    """Return a team's webhooks, the oldest first."""
    return list(await session.scalars(select(Webhook).where(Webhook.team_id == team_id).order_by(Webhook.id)))


async def find(session: AsyncSession, membership: Membership, webhook_id: str) -> Webhook:
    """Return a webhook of the team, locked until the end of the transaction. Raises `WebhookNotFound`."""
    query = select(Webhook).where(Webhook.id == webhook_id, Webhook.team_id == membership.team.id)
    hook: Webhook | None = await session.scalar(query.with_for_update())
    if hook is None:
        raise WebhookNotFound("This team has no webhook with this ID.")
    return hook


async def switch(session: AsyncSession, hook: Webhook, *, on: bool) -> None:
    """Switch a webhook on or off. Switching it off cancels queued messages."""
    if on:
        hook.off_at = hook.failing_since = None
    elif hook.off_at is None:
        hook.off_at = now()
        waiting = update(WebhookDelivery).where(
            WebhookDelivery.webhook_id == hook.id, WebhookDelivery.status == Status.QUEUED
        )
        await session.execute(waiting.values(status=Status.FAILED, ended_at=now(), error=GIVEN_UP))


def rotate(hook: Webhook) -> None:
    """Create a new secret. For a day, messages are also signed with the former one."""
    hook.former_secret, hook.secret, hook.rotated_at = hook.secret, new_secret(), now()


def secrets_of(hook: Webhook, moment: datetime) -> list[str]:
    """Return the secrets with which messages are signed at this moment, the newest first."""
    both = hook.former_secret and hook.rotated_at and moment < hook.rotated_at + BOTH_SECRETS
    return [hook.secret, *([hook.former_secret] if both and hook.former_secret else [])]


def log(webhook_id: str, before: str) -> Select[WebhookDelivery]:
    """Return a query for a webhook's deliveries, newest first."""
    query = select(WebhookDelivery).where(WebhookDelivery.webhook_id == webhook_id).order_by(WebhookDelivery.id.desc())
    return query.where(WebhookDelivery.id < before) if before else query


async def send_test(session: AsyncSession, hook: Webhook) -> WebhookDelivery:
    """Queue a test message. Raises `WebhookOff`, `TooManyRequests`."""
    _require_on(hook)
    lately = WebhookDelivery.event_id.is_(None) & (WebhookDelivery.created_at > now() - timedelta(minutes=1))
    count = select(func.count()).where(WebhookDelivery.webhook_id == hook.id, lately)
    if (await session.scalar(count) or 0) >= TESTS_A_MINUTE:
        raise TooManyRequests("You sent many tests within a minute. Try again in a minute.", retry_after_s=60)
    made = await events.delivery(session, hook.id, events.TEST, None)
    session.add(made)
    return made


async def send_again(session: AsyncSession, hook: Webhook, delivery_id: str) -> WebhookDelivery:
    """Queue the same message again, with the same ID. Raises `WebhookOff`, `DeliveryNotFound`, `StillQueued`."""
    _require_on(hook)
    found: WebhookDelivery | None = await session.get(WebhookDelivery, delivery_id)
    if found is None or found.webhook_id != hook.id:
        raise DeliveryNotFound("This webhook has no delivery with this ID.")
    if found.status == Status.QUEUED:
        raise StillQueued("This message is still queued and will be sent.")
    found.status, found.attempts, found.next_at, found.ended_at = Status.QUEUED, 0, now(), None
    return found


async def give_up(session: AsyncSession, hook: Webhook) -> None:
    """Switch the webhook off, and send an email to the team's owners."""
    await switch(session, hook, on=False)
    owning = select(Account).join(TeamMember, TeamMember.account_id == Account.id)
    query = owning.where(TeamMember.team_id == hook.team_id, TeamMember.role == "owner")
    for owner in (await session.scalars(query)).all():
        await outbox.put(session, MAIL_KIND, owner.email, owner.id, webhook=hook.id)


def _require_on(hook: Webhook) -> None:
    if hook.off_at is not None:
        raise WebhookOff("This webhook is disabled. Enable it first.")
