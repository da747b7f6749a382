"""Follows a judging over its event stream, through lost connections, and keeps what is known so far."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeVar

import httpx
import msgspec

from frontend.cli.client import Client, unreachable
from frontend.cli.failure import Failure
from frontend.cli.records import Place, Test, TestEnded
from frontend.cli.sse import Event, Reader

T = TypeVar("T")
FINAL = ("judged", "cancelled")
# The service sends something at least every 15 s: a longer silence is a dead connection.
SILENCE_S = 45.0
PATIENCE_S = 300.0
SLOWEST_RETRY_S = 10.0
LOST = Event("lost", "")


@dataclass
class Progress:
    """A judging as far as it has been told."""

    phase: Literal["queued", "judging", "ended"] = "queued"
    place: Place = field(default_factory=Place)
    tests: dict[str, Test] = field(default_factory=dict)
    total: int = 0
    lost: bool = False

    def take(self, event: Event) -> Test | None:
        """Take an event in; the test that it tells of, if it does. Events that are not known here change nothing."""
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
    """Events until the final one. While the connection is lost, `LOST` is told and it is tried again from where it broke.

    Raises `Failure` when nobody answers for `patience_s`, or when the service refuses.
    """
    reader, pause_s, heard = Reader(), 0.0, time.monotonic()
    while True:
        reader.restart()
        try:
            # A sign of life without an event counts as heard: a queue may stand still for long.
            for events in _heard(client, submission_id, reader):
                pause_s, heard = 0.0, time.monotonic()
                for event in events:
                    yield event
                    if event.name in FINAL:
                        return
            # The service ends a stream after an hour, or when it is restarted: one comes back.
        except httpx.RequestError as error:
            if time.monotonic() - heard > patience_s:
                told = unreachable(client.url, error).message
                raise Failure(
                    f"{told} The judging goes on there; see its end with: gradus status {submission_id}"
                ) from error
        yield LOST
        pause_s = min(max(pause_s * 2, reader.retry_s), SLOWEST_RETRY_S)
        time.sleep(pause_s)


def _heard(client: Client, submission_id: str, reader: Reader) -> Iterator[list[Event]]:
    """What comes over one connection, events or none. A service that is busy or just coming up counts as a lost connection."""
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
            "The service tells of this judging in a way that this program does not know. Update the older one."
        ) from error
