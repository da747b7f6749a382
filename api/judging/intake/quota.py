"""Limits for each account, so that no account can fill the queue."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from api.identity.accounts import guests
from api.kit.db.database import now
from api.kit.errors import TooManyRequests
from api.settings import Settings

WINDOW_S = 60
DAY = timedelta(days=1)
BOUNDLESS = 2**31 - 1


@dataclass(frozen=True)
class Quota:
    """The maximum numbers of submissions of one account: `unfinished` that are not judged yet, `per_minute` within one minute,
    and `a_day` within 24 hours for the same challenge. `queue_limit` is the maximum number of submissions of all accounts that
    wait for the same device.
    """

    unfinished: int
    per_minute: int
    a_day: int
    queue_limit: int

    def check(self, unfinished: int, queued: int, blocking: datetime | None, of_day: datetime | None) -> None:
        """Check whether an account may send another submission. Raises `TooManyRequests`.

        `blocking` is None if the limit per minute is not reached. Otherwise it is the time of an earlier submission, and the
        next one is accepted a minute after that time. `of_day` is the same for the daily limit of one challenge.
        """
        if unfinished >= self.unfinished:
            raise TooManyRequests(
                f"You have {unfinished} submissions that are not judged yet. Wait for one to end, or cancel one.",
                retry_after_s=2,
            )
        if queued >= self.queue_limit:
            raise TooManyRequests(
                "The queue is full, so this submission was not accepted. Your code is not lost: submit it again later.",
                retry_after_s=60,
            )
        if blocking is not None:
            until = blocking + timedelta(seconds=WINDOW_S)
            raise TooManyRequests(
                f"At most {self.per_minute} submissions per minute are allowed, so this one was not accepted. Your code is not "
                "lost: submit it again in a minute.",
                retry_after_s=(until - now()).total_seconds(),
            )
        if of_day is not None:
            until = of_day + DAY
            raise TooManyRequests(
                f"You have submitted {self.a_day} answers to this challenge within 24 hours, which is the limit. The next one "
                f"is accepted from {until + timedelta(minutes=1):%Y-%m-%d %H:%M} UTC. You can still run the "
                "samples; nothing is lost.",
                retry_after_s=(until - now()).total_seconds(),
            )


def quota_of(role: str, settings: Settings, *, last: bool) -> Quota:
    """Return the quota for an account with this role. With `last`, there are no limits: the service itself submits, because the
    candidate's time has run out.
    """
    if last:
        return Quota(BOUNDLESS, BOUNDLESS, BOUNDLESS, BOUNDLESS)
    both = settings.submissions_per_challenge_a_day, settings.queue_limit
    if role == guests.ROLE:
        return Quota(settings.unfinished_per_guest, settings.submissions_per_minute, *both)
    return Quota(settings.unfinished_per_account, settings.submissions_per_minute, *both)
