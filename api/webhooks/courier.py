"""Takes deliveries to where they belong: one webhook's one after the other, webhooks beside each other, so that a receiver that
does not answer keeps nobody else waiting. What failed is tried again, ever later, for about a day.
"""

import asyncio
import contextlib
import json
import random
import time
from datetime import timedelta

import structlog
from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.background import Keeper
from api.db import Database, delete_some, now
from api.metrics import counters
from api.settings import Settings
from api.webhooks import service, signing
from api.webhooks.events import message
from api.webhooks.models import IS_QUEUED, Status, TeamEvent, Webhook, WebhookDelivery
from api.webhooks.reaching import Answer, Caller, Unreachable

log = structlog.get_logger()
HOUR_S = 3600
# Between an attempt and the next; together about a day.
PAUSES_S = (5, 60, 300, 1800, 2 * HOUR_S, 5 * HOUR_S, 8 * HOUR_S, 8 * HOUR_S)
JITTER = 0.2
WEBHOOKS_AT_ONCE, IN_A_ROW = 16, 20
KEPT = timedelta(days=30)
SWEPT = 200
GONE = 410


class Courier(Keeper):
    """The one who delivers. An attempt is written down before it is made: after a crash a message may come twice, never not
    at all.
    """

    def __init__(self, settings: Settings, db: Database, caller: Caller | None = None) -> None:
        super().__init__(self._round)
        self._settings, self._db, self._caller = settings, db, caller or Caller(settings)
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._swept_at = 0.0

    async def stop(self) -> None:
        """End; whatever was on its way is broken off, and comes again."""
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
            await asyncio.sleep(self._settings.poll_s)

    async def _due(self) -> list[str]:
        """Webhooks for which something waits and that nobody serves yet."""
        query = select(WebhookDelivery.webhook_id).where(_is_due(), WebhookDelivery.webhook_id.not_in(list(self._busy)))
        async with self._db.read() as session:
            return list(await session.scalars(query.distinct().limit(WEBHOOKS_AT_ONCE - len(self._busy))))

    async def _serve(self, webhook_id: str) -> None:
        """One message after the other, until none is due or one fails."""
        try:
            for _ in range(IN_A_ROW):
                if not await self.deliver_next(webhook_id):
                    return
        except Exception:
            log.exception("delivery_broke", webhook=webhook_id)
        finally:
            self._busy.pop(webhook_id, None)

    async def deliver_next(self, webhook_id: str) -> bool:
        """Try the next message; whether it arrived."""
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
        """Forget what ended long ago."""
        old = WebhookDelivery.ended_at < now() - KEPT
        while True:
            async with self._db.write() as session:
                if await delete_some(session, WebhookDelivery, old, SWEPT) < SWEPT:
                    return


def _is_due() -> ColumnElement[bool]:
    return and_(IS_QUEUED, WebhookDelivery.next_at <= now())


def _pause_s(attempts: int) -> float:
    """Until the next attempt, never exactly: many that failed at once do not come back at once."""
    usual = PAUSES_S[min(attempts, len(PAUSES_S)) - 1]
    return usual * random.uniform(1 - JITTER, 1 + JITTER)


async def _note(session: AsyncSession, delivery_id: str, came: Answer | str, took_ms: int) -> bool:
    """Write down how an attempt ended; whether the message arrived."""
    delivery = await session.get(WebhookDelivery, delivery_id)
    if delivery is None:
        return False
    hook = await session.get_one(Webhook, delivery.webhook_id, with_for_update=True)
    arrived = isinstance(came, Answer) and 200 <= came.code < 300
    delivery.took_ms = took_ms
    delivery.code, delivery.answer = (came.code, came.text) if isinstance(came, Answer) else (None, "")
    delivery.error = came[:200] if isinstance(came, str) else "" if arrived else _told(came.code)
    if arrived:
        delivery.status, delivery.ended_at, hook.failing_since = Status.SENT, now(), None
        counters.DELIVERIES.labels(str(Status.SENT)).inc()
        return True
    if delivery.attempts > len(PAUSES_S):
        delivery.status, delivery.ended_at = Status.FAILED, now()
        counters.DELIVERIES.labels(str(Status.FAILED)).inc()
    if delivery.event_id is not None:
        hook.failing_since = hook.failing_since or now()
        if delivery.code == GONE or hook.failing_since < now() - service.PATIENCE:
            await service.give_up(session, hook)
    return False


def _told(code: int) -> str:
    if 300 <= code < 400:
        return f"It answered {code}, which leads elsewhere. Give the address where it ends: redirects are not followed."
    return f"It answered {code}."
