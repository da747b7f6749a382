"""Sends the mail in the outbox, one at a time, and retries failed deliveries."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

import structlog
from prometheus_client import Counter
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.mail.message import Content
from api.identity.mail.models import IS_QUEUED, OutboxMail, Status
from api.identity.mail.transports import Undeliverable, transport_of
from api.kit.db.database import Database, now
from api.kit.supervised_task import SupervisedTask, pause
from api.settings import Settings

SENT_MAILS = Counter("gradus_mails", "Emails, sent or given up.", ["outcome"])
for _outcome in ("sent", "failed"):
    SENT_MAILS.labels(_outcome)

log = structlog.get_logger()
# The type of a function that composes the content of a mail. It returns None if the mail must not be sent, for example because
# the account no longer exists.
Writer = Callable[[AsyncSession, OutboxMail], Awaitable[Content | None]]
# Maximum number of due mails that are read from the outbox at once.
AT_ONCE = 20
# Each pause between two attempts to deliver a mail is this many times as long as the pause before.
SLOWER = 4


class MailSender(SupervisedTask):
    """Sends the mail in the outbox. Each attempt is recorded before the mail is passed to the transport. After a crash, a
    mail may therefore be sent twice, but it is never lost.
    """

    def __init__(self, settings: Settings, db: Database, write: Writer) -> None:
        super().__init__(self._round)
        self._settings, self._db, self._write = settings, db, write
        self._transport = transport_of(settings)

    async def _round(self) -> None:
        while True:
            due = select(OutboxMail.id).where(IS_QUEUED, OutboxMail.next_at <= now())
            async with self._db.read() as session:
                ids = list(await session.scalars(due.order_by(OutboxMail.next_at).limit(AT_ONCE)))
            for mail_id in ids:
                await self._deliver(mail_id)
            await pause(0 if len(ids) == AT_ONCE else self._settings.poll_s)

    async def _deliver(self, mail_id: str) -> None:
        async with self._db.write() as session:
            due = select(OutboxMail).where(OutboxMail.id == mail_id, IS_QUEUED, OutboxMail.next_at <= now())
            mail: OutboxMail | None = await session.scalar(due.with_for_update(skip_locked=True))
            if mail is None:
                return
            content = await self._write(session, mail)
            if content is None:
                await session.delete(mail)
                return
            mail.attempts += 1
            pause_s = self._settings.mail_retry_s * SLOWER ** (mail.attempts - 1)
            mail.next_at = now() + timedelta(seconds=pause_s)
        try:
            await self._transport(content, mail.address)
        except Exception as error:
            await self._not_sent(mail, error)
            return
        await self._end(mail_id, Status.SENT, "")

    async def _not_sent(self, mail: OutboxMail, error: Exception) -> None:
        """Log a failed attempt. If it was the last one, give up on the mail. The log contains the id of the mail, but not the
        address, which is personal data.
        """
        last = isinstance(error, Undeliverable) or mail.attempts >= self._settings.mail_attempts
        reason = f"{type(error).__name__}: {error}" if isinstance(error, Undeliverable) else type(error).__name__
        log.warning("mail_not_sent", mail=mail.id, attempt=mail.attempts, reason=reason, last=last)
        if last:
            await self._end(mail.id, Status.FAILED, reason[:200])

    async def _end(self, mail_id: str, status: Status, error: str) -> None:
        values = {"status": status, "error": error, "ended_at": now(), "data": "{}"}
        async with self._db.write() as session:
            await session.execute(update(OutboxMail).where(OutboxMail.id == mail_id).values(values))
        SENT_MAILS.labels(str(status)).inc()
