"""Reports the outcomes of jobs to the service, and repeats each report until JetStream has stored it."""

import asyncio
import logging
import time
import uuid
from collections.abc import Callable

from grader.contract import subjects, transport
from grader.node.nats_connection import ANSWER_S, NATS_ERRORS, PAUSE_S, NatsConnection

log = logging.getLogger(__name__)
# A report that cannot be sent is retried for this many seconds. After that it is dropped: the job's lease has then expired, and
# the service has the job judged again.
REPORT_S = 120.0
# The size in bytes of the largest message that fits into a parcel with no other message.
LARGEST_BYTES = subjects.MOST_BYTES - 2


class EndReporter:
    """A queue of reports about jobs that have ended. `all_stored` is called when the last waiting report has been stored."""

    def __init__(self, connection: NatsConnection, all_stored: Callable[[], None]) -> None:
        self._connection = connection
        self._all_stored = all_stored
        self._ends: asyncio.Queue[transport.End] = asyncio.Queue()
        self._waiting = 0

    @property
    def pending(self) -> bool:
        """Whether a report is still waiting to be stored. While this is true, the node gets no jobs."""
        return self._waiting > 0

    def add(self, end: transport.End) -> None:
        """Queue the report of a job's outcome."""
        self._waiting += 1
        self._ends.put_nowait(end)

    async def run(self) -> None:
        """Send reports as they are queued. If several reports are waiting, they are sent in one message."""
        while True:
            ends = await subjects.all_of(self._ends)
            for parcel in subjects.parcels(map(_body, ends)):
                await self._store(transport.parcel(parcel), len(parcel))
            self._waiting -= len(ends)
            for _ in ends:
                self._ends.task_done()
            if not self._waiting:
                self._all_stored()

    async def finish(self) -> None:
        """Wait until no report is waiting to be stored. Raises TimeoutError after ANSWER_S."""
        await asyncio.wait_for(self._ends.join(), ANSWER_S)

    async def _store(self, data: bytes, count: int) -> None:
        name = uuid.uuid4().hex
        until = time.monotonic() + REPORT_S
        while time.monotonic() < until:
            try:
                await self._connection.store(subjects.end(self._connection.access.node), data, name)
                return
            except NATS_ERRORS as error:
                log.warning("an end is not stored yet: %s", str(error) or type(error).__name__)
                await asyncio.sleep(PAUSE_S)
        log.error("%d ends could not be reported for %.0f s; they are judged again", count, REPORT_S)


def _body(message: transport.End) -> bytes:
    data = transport.body(message)
    if len(data) <= LARGEST_BYTES or not isinstance(message, transport.Judged):
        return data
    reason = f"the judgement has {len(data):,} bytes, more than the wire carries ({LARGEST_BYTES:,})"
    return transport.body(transport.Fault(message.judgement.job_id, transport.token_of(message), reason))
