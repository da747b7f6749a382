"""Delivers messages to webhooks. The messages of one webhook are sent one after another, and webhooks are served in parallel,
so that a receiver that does not respond delays no others. Failed messages are retried for about a day, at increasing intervals.
"""

import asyncio
import contextlib
import json
import random
import time
from datetime import timedelta

import structlog
from prometheus_client import Counter
from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.webhooks import service, signing
from api.hiring.webhooks.events import message
from api.hiring.webhooks.models import IS_QUEUED, Status, TeamEvent, Webhook, WebhookDelivery
from api.hiring.webhooks.safe_requests import Answer, SafeClient, Unreachable
from api.kit.db.database import Database, delete_some, now
from api.kit.supervised_task import SupervisedTask, pause
from api.settings import Settings

DELIVERIES = Counter("gradus_webhook_deliveries", "Messages to webhooks, delivered or given up.", ["outcome"])
for _outcome in ("sent", "failed"):
    DELIVERIES.labels(_outcome)

log = structlog.get_logger()
HOUR_S = 3600
# The pauses between the attempts to deliver a message, in seconds. They add up to about a day. After the last attempt, the
# message is marked as failed.
PAUSES_S = (5, 60, 300, 1800, 2 * HOUR_S, 5 * HOUR_S, 8 * HOUR_S, 8 * HOUR_S)
JITTER = 0.2
WEBHOOKS_AT_ONCE, IN_A_ROW = 16, 20
KEPT = timedelta(days=30)
SWEPT = 200
GONE = 410


class WebhookSender(SupervisedTask):
    """Delivers queued messages. Each attempt is stored in the database before the message is sent. So after a crash, a message
    may be sent twice, but no message is lost.
    """

    def __init__(self, settings: Settings, db: Database, caller: SafeClient | None = None) -> None:
        super().__init__(self._round)
        self._settings, self._db, self._caller = settings, db, caller or SafeClient(settings)
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._swept_at = 0.0

    async def stop(self) -> None:
        """Stop the loop, and cancel attempts in progress. Their messages stay queued and are sent again later."""
        await super().stop()
        for task in list(self._busy.values()):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _round(self) -> None:
        while True:
            for webhook_id in await self._due():
                task = asyncio.create_task(self._serve(webhook_id))
                self._busy[webhook_id] = task
            if time.monotonic() > self._swept_at + HOUR_S:
                await self._sweep()
                self._swept_at = time.monotonic()
            await pause(self._settings.poll_s)

    async def _due(self) -> list[str]:
        """Return the IDs of webhooks that have due messages and are not being served."""
        query = select(WebhookDelivery.webhook_id).where(_is_due(), WebhookDelivery.webhook_id.not_in(list(self._busy)))
        async with self._db.read() as session:
            return list(await session.scalars(query.distinct().limit(WEBHOOKS_AT_ONCE - len(self._busy))))

    async def _serve(self, webhook_id: str) -> None:
        """Deliver the due messages of a webhook one after another. Stop when none is due, when an attempt fails, or after
        IN_A_ROW messages, so that other webhooks get their turn.
        """
        try:
            for _ in range(IN_A_ROW):
                if not await self.deliver_next(webhook_id):
                    return
        except Exception:
            log.exception("delivery_broke", webhook=webhook_id)
        finally:
            self._busy.pop(webhook_id, None)

    async def deliver_next(self, webhook_id: str) -> bool:
        """Try to deliver the next message. Returns whether it was delivered."""
        mine = select(WebhookDelivery).where(WebhookDelivery.webhook_id == webhook_id, _is_due())
        async with self._db.write() as session:
            mine = mine.order_by(WebhookDelivery.next_at, WebhookDelivery.id).limit(1)
            delivery = await session.scalar(mine.with_for_update(skip_locked=True))
            if delivery is None:
                return False
            delivery.attempts += 1
            delivery.next_at = now() + timedelta(seconds=_pause_s(delivery.attempts))
            hook = await session.get_one(Webhook, webhook_id)
            event = await session.get(TeamEvent, delivery.event_id) if delivery.event_id else None
        body = json.dumps(message(self._settings.url, delivery, event), ensure_ascii=False)
        moment, started = now(), time.monotonic()
        secrets = service.secrets_of(hook, moment)
        signed = signing.headers(secrets, delivery.event_id or delivery.id, int(moment.timestamp()), body)
        try:
            came: Answer | str = await self._caller.post(hook.url, body, signed)
        except Unreachable as error:
            came = str(error)
        took_ms = round((time.monotonic() - started) * 1000)
        async with self._db.write() as session:
            return await _note(session, delivery.id, came, took_ms)

    async def _sweep(self) -> None:
        """Delete deliveries that ended more than 30 days ago."""
        old = WebhookDelivery.ended_at < now() - KEPT
        while True:
            async with self._db.write() as session:
                if await delete_some(session, WebhookDelivery, old, SWEPT) < SWEPT:
                    return


def _is_due() -> ColumnElement[bool]:
    return and_(IS_QUEUED, WebhookDelivery.next_at <= now())


def _pause_s(attempts: int) -> float:
    """Return the seconds until the next attempt. Random jitter ensures that many failed messages are not retried at the same
    moment.
    """
    usual = PAUSES_S[min(attempts, len(PAUSES_S)) - 1]
    return usual * random.uniform(1 - JITTER, 1 + JITTER)


async def _note(session: AsyncSession, delivery_id: str, came: Answer | str, took_ms: int) -> bool:
    """Store the result of an attempt. Returns whether the message was delivered."""
    delivery = await session.get(WebhookDelivery, delivery_id)
    if delivery is None:
        return False
    hook = await session.get_one(Webhook, delivery.webhook_id, with_for_update=True)
    arrived = isinstance(came, Answer) and 200 <= came.code < 300
    delivery.took_ms = took_ms
    delivery.code, delivery.answer = (came.code, came.text) if isinstance(came, Answer) else (None, "")
    delivery.error = came[:200] if isinstance(came, str) else "" if arrived else _status_text(came.code)
    if arrived:
        delivery.status, delivery.ended_at, hook.failing_since = Status.SENT, now(), None
        DELIVERIES.labels(str(Status.SENT)).inc()
        return True
    if delivery.attempts > len(PAUSES_S):
        delivery.status, delivery.ended_at = Status.FAILED, now()
        DELIVERIES.labels(str(Status.FAILED)).inc()
    if delivery.event_id is not None:
        hook.failing_since = hook.failing_since or now()
        if delivery.code == GONE or hook.failing_since < now() - service.PATIENCE:
            await service.give_up(session, hook)
    return False


def _status_text(code: int) -> str:
    if 300 <= code < 400:
        return f"The receiver answered {code}, a redirect. Redirects are not followed: enter the final address."
    return f"The receiver answered {code}."
