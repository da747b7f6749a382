"""How much one account may send, so that nobody fills the queue for all."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from api.accounts import guests
from api.db import now
from api.errors import TooManyRequests
from api.settings import Settings

WINDOW_S = 60
BOUNDLESS = 2**31 - 1


@dataclass(frozen=True)
class Quota:
    """`unfinished` at a time, `per_minute`, and only while fewer than `queue_limit` wait for the same device."""

    unfinished: int
    per_minute: int
    queue_limit: int

    def check(self, unfinished: int, queued: int, blocking: datetime | None) -> None:
        """Of somebody who has so much. `blocking` is when the one was sent that must leave the minute first, if there is one.
        Raises `TooManyRequests`.
        """
        if unfinished >= self.unfinished:
            raise TooManyRequests(
                f"You have {unfinished} submissions in the queue already. Wait for one to end, or cancel one.",
                retry_after_s=2,
            )
        if queued >= self.queue_limit:
            raise TooManyRequests("The queue is full. Please try again in a minute.", retry_after_s=60)
        if blocking is not None:
            until = blocking + timedelta(seconds=WINDOW_S)
            raise TooManyRequests(
                f"At most {self.per_minute} submissions a minute. Please wait a little.",
                retry_after_s=(until - now()).total_seconds(),
            )


def quota_of(role: str, settings: Settings, *, last: bool) -> Quota:
    """An account's, by its role; what is sent because the time is over (`last`) is taken without any."""
    if last:
        return Quota(BOUNDLESS, BOUNDLESS, BOUNDLESS)
    if role == guests.ROLE:
        return Quota(settings.unfinished_per_guest, settings.submissions_per_minute_of_a_guest, settings.queue_limit)
    return Quota(settings.unfinished_per_account, settings.submissions_per_minute, settings.queue_limit)
