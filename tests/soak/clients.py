"""Contains the clients of the soak. Each client is an account that sends submissions, repeats requests that fail, and polls
until it has read the verdicts.

A request that failed, or was answered with 5xx or 429, is sent again with the same Idempotency-Key. One in ten submissions is
repeated on purpose: a second request is sent at the same time over another connection, and a third one after the service has
accepted the submission.
"""

import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from tests.live import Candidate
from tests.soak.answers import Answer
from tests.soak.book import Book, Sent

RETRY_S, LOOK_EVERY_S = 0.25, 0.6
AT_ONCE = 6
DUPLICATES = 0.1
PAGE = 100


class Gate:
    """Limits how many submissions the clients may start. The gate opens a little further before each fault, so that there is
    always work when a fault happens.
    """

    def __init__(self) -> None:
        self._moved = threading.Condition()
        self._open, self._begun, self._closed = 0, 0, False

    def open(self, more: int) -> None:
        """Allow `more` additional submissions."""
        with self._moved:
            self._open += more
            self._moved.notify_all()

    def close(self) -> None:
        """Allow no further submissions. Clients still start those that are allowed already, and then end."""
        with self._moved:
            self._closed = True
            self._moved.notify_all()

    def enter(self, seconds: float) -> bool | None:
        """Wait up to `seconds` for permission to start a submission.

        Return True if a submission may be started, None if the client must ask again, and False if the gate is closed and no
        more submissions are allowed.
        """
        with self._moved:
            self._moved.wait_for(lambda: self._begun < self._open or self._closed, timeout=seconds)
            if self._begun < self._open:
                self._begun += 1
                return True
            return False if self._closed else None


class Client:
    """One account that sends submissions and reads their verdicts."""

    def __init__(self, candidate: Candidate, book: Book, seed: str, stop: threading.Event) -> None:
        self.http = candidate.http
        self.http.timeout = httpx.Timeout(5.0)
        self._book, self._chance, self._stop = book, random.Random(seed), stop
        self._second = ThreadPoolExecutor(1)

    def send(self, answer: Answer) -> Sent:
        """Send a submission, and repeat it until the service has accepted it or the run is stopped."""
        key = f"{self._chance.getrandbits(64):016x}"
        sent = self._book.begin(answer, key)
        twin = self._second.submit(self._post, sent) if self._chance.random() < DUPLICATES else None
        while not self._stop.is_set() and not self._post(sent):
            self._stop.wait(RETRY_S)
        if twin is not None:
            sent.duplicates += bool(twin.result())
            sent.duplicates += self._post(sent)
        return sent

    def _post(self, sent: Sent) -> bool:
        """Send one request. Return whether the service has accepted the submission."""
        body = {"slug": sent.answer.slug, "source": sent.answer.numbered(sent.number), "kind": "submit"}
        sent.tries += 1
        try:
            answer = self.http.post("/api/submissions", json=body, headers={"Idempotency-Key": sent.key})
        except httpx.TransportError:
            return False
        if answer.status_code not in (200, 201):
            if answer.status_code < 500 and answer.status_code != 429:
                raise RuntimeError(f"submission {sent.number}: {answer.status_code} {answer.text}")
            return False
        sent.ids.append(answer.json()["id"])
        sent.taken = sent.taken or time.monotonic()
        return True

    def look(self, waiting: list[Sent]) -> list[Sent]:
        """Request the list of submissions. Record the verdicts of those in `waiting`, and return those still without one.

        The list begins with the newest ones. After the clock was set back, a submission may be on any page.
        """
        cards: dict[str, Any] = {}
        cursor: str | None = ""
        while cursor is not None and any(sent.id not in cards for sent in waiting):
            try:
                answer = self.http.get("/api/submissions", params={"limit": PAGE, "cursor": cursor})
            except httpx.TransportError:
                break
            if answer.status_code != 200:
                break
            page = answer.json()
            cards |= {card["id"]: card for card in page["items"]}
            cursor = page["next_cursor"]
        return [sent for sent in waiting if not _ended(sent, cards.get(sent.id or ""))]

    def read(self, sent: Sent) -> dict[str, Any]:
        """Read the current state of a submission. Return an empty dictionary if it does not exist."""
        answer = self.http.get(f"/api/submissions/{sent.id}")
        body: dict[str, Any] = answer.json()
        return body if answer.status_code == 200 else {}

    def close(self) -> None:
        self._second.shutdown()
        self.http.close()


def _ended(sent: Sent, card: dict[str, Any] | None) -> bool:
    if card is None or card["status"] not in ("judged", "cancelled"):
        return False
    sent.verdict, sent.told = card["verdict"] or card["status"], time.monotonic()
    return True


class Crowd:
    """Runs the clients in threads. They send answers for as long as the gate allows it. `broken` describes the clients that
    stopped because of an error.
    """

    def __init__(self, clients: list[Client], answers: Iterator[Answer], gate: Gate, stop: threading.Event) -> None:
        self._answers, self._gate, self._stop = answers, gate, stop
        self._taking = threading.Lock()
        self.broken: list[str] = []
        self._threads = [threading.Thread(target=self._run, args=(client,), daemon=True) for client in clients]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def join(self, seconds: float) -> bool:
        """Wait up to `seconds` until every client has ended. Return whether all have ended."""
        until = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _run(self, client: Client) -> None:
        try:
            self._work(client)
        except Exception as error:  # a stopped client checks nothing more, so report it as a violation
            self.broken.append(f"{type(error).__name__}: {error}")

    def _work(self, client: Client) -> None:
        waiting: list[Sent] = []
        more: bool | None = True
        while (more is not False or waiting) and not self._stop.is_set():
            more = self._gate.enter(0.0 if waiting else LOOK_EVERY_S) if len(waiting) < AT_ONCE else None
            if more:
                with self._taking:
                    answer = next(self._answers)
                waiting.append(client.send(answer))
            else:
                waiting = client.look(waiting) if waiting else []
                self._stop.wait(LOOK_EVERY_S)
