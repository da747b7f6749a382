"""Limits for each account, so that no account can fill the queue."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from api.identity.accounts import guests
from api.kit.db.database import now
from api.kit.errors import TooManyRequests
from api.kit.ids import first_id
from api.settings import Settings
from grader.contract.job import Kind

WINDOW_S = 60
BOUNDLESS = 2**31 - 1
# Greater than every id.
NEVER = "~"


@dataclass(frozen=True)
class ChallengeLimit:
    """An account may send at most `number` submissions of one kind for the same challenge within `span`. `refusal` is the
    message for the next one; `{number}` and `{until}` are replaced.
    """

    number: int
    span: timedelta
    refusal: str

    def until(self, blocking: datetime) -> datetime:
        """Return when the next submission is accepted. `blocking` is the time of the submission that blocks it."""
        return blocking + self.span


def challenge_limit(kind: Kind, settings: Settings) -> ChallengeLimit | None:
    """Return the limit of submissions of a kind for one challenge, or None if this kind has none. Submitted answers and
    comparisons are limited, because their results say something about the hidden tests and the reference.
    """
    if kind is Kind.SUBMIT:
        return ChallengeLimit(
            settings.submissions_per_challenge_a_day,
            timedelta(days=1),
            "You have submitted {number} answers to this challenge within 24 hours, which is the limit. The next one is "
            "accepted from {until:%Y-%m-%d %H:%M} UTC. You can still run the samples; nothing is lost.",
        )
    if kind is Kind.COMPARE:
        return ChallengeLimit(
            settings.own_inputs_per_challenge_an_hour,
            timedelta(hours=1),
            "You have run {number} inputs of your own for this challenge within an hour, which is the limit. The next one is "
            "accepted from {until:%H:%M} UTC. You can still run snippets and the samples; nothing is lost.",
        )
    return None


@dataclass(frozen=True)
class Quota:
    """The maximum numbers of submissions of one account: `unfinished` that are not judged yet, `per_minute` within one minute,
    and `of_challenge` for the same challenge. `queue_limit` is the maximum number of submissions of all accounts that wait for
    the same device.
    """

    unfinished: int
    per_minute: int
    of_challenge: ChallengeLimit | None
    queue_limit: int

    def window_of_challenge(self, moment: datetime) -> dict[str, str | int]:
        """Return the parameters with which `intake.BEFORE` finds the submission that blocks the next one for a challenge."""
        limit = self.of_challenge
        if limit is None:
            return {"span": NEVER, "skipped_of_span": 0}
        return {"span": first_id(moment - limit.span), "skipped_of_span": limit.number - 1}

    def check(self, unfinished: int, queued: int, blocking: datetime | None, of_challenge: datetime | None) -> None:
        """Check whether an account may send another submission. Raises `TooManyRequests`.

        `blocking` is None if the limit per minute is not reached. Otherwise it is the time of an earlier submission, and the
        next one is accepted a minute after that time. `of_challenge` is the same for the limit of one challenge.
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
        if of_challenge is not None and self.of_challenge is not None:
            limit, until = self.of_challenge, self.of_challenge.until(of_challenge)
            shown = until + timedelta(minutes=1)
            raise TooManyRequests(
                limit.refusal.format(number=limit.number, until=shown), retry_after_s=(until - now()).total_seconds()
            )


def quota_of(role: str, kind: Kind, settings: Settings, *, last: bool) -> Quota:
    """Return the quota for submissions of this kind by an account with this role. With `last`, there are no limits: the service
    itself submits, because the candidate's time has run out.
    """
    if last:
        return Quota(BOUNDLESS, BOUNDLESS, None, BOUNDLESS)
    both = challenge_limit(kind, settings), settings.queue_limit
    if role == guests.ROLE:
        return Quota(settings.unfinished_per_guest, settings.submissions_per_minute, *both)
    return Quota(settings.unfinished_per_account, settings.submissions_per_minute, *both)
