"""Follows the judging of a submission through its event stream. Reconnects if the connection is lost."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeVar

import httpx
import msgspec

from frontend.cli.failure import Failure
from frontend.cli.service.client import Client, unreachable
from frontend.cli.service.records import Place, Test, TestEnded
from frontend.cli.service.sse import Event, Reader

T = TypeVar("T")
FINAL = ("judged", "cancelled")
# The service sends an event or a keep-alive at least every 15 s. If nothing arrives for this many seconds, the client considers
# the connection lost.
SILENCE_S = 45.0
PATIENCE_S = 300.0
SLOWEST_RETRY_S = 10.0
LOST = Event("lost", "")


@dataclass
class Progress:
    """The state of a judging, derived from the events that the client has received so far."""

    device: str = "cpu"
    phase: Literal["queued", "judging", "ended"] = "queued"
    place: Place = field(default_factory=Place)
    tests: dict[str, Test] = field(default_factory=dict)
    total: int = 0
    lost: bool = False

    def take(self, event: Event) -> Test | None:
        """Updates the state with an event. Returns the test's result if the event reports that a test has ended, otherwise
        None. Ignores unknown events.
        """
        self.lost = event is LOST
        if event.name == "queued":
            self.phase, self.place = "queued", _decoded(event, Place)
            if self.place.again:
                self.tests.clear()
        elif event.name == "judging":
            self.phase = "judging"
            self.tests.clear()
        elif event.name == "test":
            ended = _decoded(event, TestEnded)
            self.phase, self.total = "judging", ended.total
            self.tests[ended.test.id] = ended.test
            return ended.test
        elif event.name in FINAL:
            self.phase = "ended"
        return None


def follow(client: Client, submission_id: str, patience_s: float = PATIENCE_S) -> Iterator[Event]:
    """Yields the events of a submission. Ends with the event that says that the judging has ended.

    If the connection is lost, yields `LOST`, reconnects, and continues after the last event that it received. Raises `Failure`
    if the service does not respond for `patience_s` seconds, or if it refuses the request.
    """
    reader, pause_s, heard = Reader(), 0.0, time.monotonic()
    while True:
        reader.restart()
        try:
            # A keep-alive also counts as a response of the service, although it contains no event: while a submission waits in
            # a long queue, there may be no events for minutes.
            for events in _read_events(client, submission_id, reader):
                pause_s, heard = 0.0, time.monotonic()
                for event in events:
                    yield event
                    if event.name in FINAL:
                        return
            # The service ends a stream after an hour, and also when it restarts. In both cases, the client reconnects.
        except httpx.RequestError as error:
            if time.monotonic() - heard > patience_s:
                reason = unreachable(client.url, error).message
                raise Failure(
                    f"{reason} The judging continues there. See the result with: gradus status {submission_id}"
                ) from error
        yield LOST
        pause_s = min(max(pause_s * 2, reader.retry_s), SLOWEST_RETRY_S)
        time.sleep(pause_s)


def _read_events(client: Client, submission_id: str, reader: Reader) -> Iterator[list[Event]]:
    """Yields the events of one connection, as one list for each chunk of bytes that arrives. A list can be empty.

    Treats the statuses 429 and 5xx like a lost connection, because they mean that the service is overloaded or starting.
    """
    headers = {"Accept": "text/event-stream", **({"Last-Event-ID": reader.last_id} if reader.last_id else {})}
    timeout = httpx.Timeout(SILENCE_S, connect=10.0)
    path = f"/submissions/{submission_id}/events"
    with client.http.stream("GET", path, headers=headers, timeout=timeout) as answer:
        if answer.status_code == 429 or answer.status_code >= 500:
            raise httpx.ReadError(f"status {answer.status_code}")
        if not answer.is_success:
            answer.read()
            client.check(answer)
        for chunk in answer.iter_bytes():
            yield reader.feed(chunk)


def _decoded(event: Event, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(event.data, type=kind)
    except msgspec.MsgspecError as error:
        raise Failure(
            "The service sends events that this program does not understand. Update the older one."
        ) from error
