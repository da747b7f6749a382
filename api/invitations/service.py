"""Rules of invitations: one open one an address and assessment, a secret that is shown once, an end, letters that are few."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import ColumnElement, Select, func, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.secrets import new_token, token_hash
from api.assessments.models import Assessment
from api.db import now
from api.errors import ApiError, FieldError, TooManyRequests
from api.ids import new_id
from api.invitations.models import Invitation
from api.invitations.schemas import InvitationState, NewInvitation
from api.letters import outbox

PREFIX = "take_"
MOST = 5000
LETTERS_A_DAY = 1000
BETWEEN_LETTERS = timedelta(minutes=10)
DAY = timedelta(days=1)


class InvitationNotFound(ApiError):
    """No such invitation in this assessment."""

    status, code = 404, "invitation_not_found"


class NotOpen(ApiError):
    """Nobody can be invited to what cannot be taken."""

    status, code = 409, "assessment_not_open"


class InvitedAlready(ApiError):
    """An address has an open invitation, or stands in the list twice."""

    status, code = 409, "invited_already"


class TooManyInvitations(ApiError):
    """The assessment has as many as it may have."""

    status, code = 409, "too_many_invitations"


class InvitationClosed(ApiError):
    """It was used or revoked: there is nothing to send or to take back."""

    status, code = 409, "invitation_closed"


class NoAddress(ApiError):
    """An invitation without an e-mail is a link to hand over."""

    status, code = 409, "no_address"


@dataclass(frozen=True)
class Wanted:
    """Whom to invite, for how many days, by whom. `place` says how the n-th person is called in a refusal."""

    people: Sequence[NewInvitation]
    days: int
    letters: bool
    by: str | None
    place: Callable[[int], str]


async def invite(session: AsyncSession, assessment: Assessment, wanted: Wanted) -> list[tuple[Invitation, str]]:
    """New invitations, each with its token. Lock the assessment before.

    Raises `NotOpen`, `InvitedAlready`, `TooManyInvitations`, `TooManyRequests`.
    """
    if assessment.state != "open":
        raise NotOpen("Open the assessment first: until then nobody can take it.")
    await _refuse_doubles(session, assessment.id, wanted)
    there = select(func.count()).where(Invitation.assessment_id == assessment.id)
    if (await session.scalar(there) or 0) + len(wanted.people) > MOST:
        raise TooManyInvitations(f"An assessment has at most {MOST:,} invitations. Clone it to invite more people.")
    if wanted.letters:
        await _count_letters(session, assessment, sum(bool(person.email) for person in wanted.people))
    made = [_made(assessment.id, person, wanted) for person in wanted.people]
    session.add_all(row for row, _ in made)
    try:
        await session.flush()
    except IntegrityError:
        raise InvitedAlready(
            "Somebody invited one of these people at the same moment. Look at the list again."
        ) from None
    for row, _ in made:
        if row.email and wanted.letters:
            await _write(session, "invitation", row)
    return made


def listing(assessment_id: str, q: str, state: InvitationState | None, before: str) -> Select[Invitation]:
    """Invitations of an assessment, newest first; `q` is part of an e-mail or a name."""
    query = select(Invitation).where(Invitation.assessment_id == assessment_id).order_by(Invitation.id.desc())
    if q:
        name, text = func.lower(Invitation.name), q.lower()
        query = query.where(or_(Invitation.email.contains(text, autoescape=True), name.contains(text, autoescape=True)))
    if state:
        query = query.where(_is(state))
    return query.where(Invitation.id < before) if before else query


async def find(session: AsyncSession, assessment_id: str, invitation_id: str) -> Invitation:
    """An invitation, locked until the end of the transaction. Raises `InvitationNotFound`."""
    query = select(Invitation).where(Invitation.id == invitation_id, Invitation.assessment_id == assessment_id)
    row: Invitation | None = await session.scalar(query.with_for_update())
    if row is None:
        raise InvitationNotFound("This assessment has no invitation with this id.")
    return row


async def send_again(session: AsyncSession, assessment: Assessment, row: Invitation) -> str:
    """A new token, and a letter if there is an address; every earlier link is worthless. The end is as far away as it was at
    first. Raises `InvitationClosed`, `TooManyRequests`.
    """
    _require_unused(row)
    _not_so_soon(row)
    token = new_token(PREFIX)
    row.token_hash, row.letter_hash, row.reminder_hash = token_hash(token), None, None
    row.expires_at, row.created_at = now() + (row.expires_at - row.created_at), now()
    if row.email:
        await _count_letters(session, assessment, 1)
        await _write(session, "invitation", row)
    return token


async def remind(session: AsyncSession, assessment: Assessment, row: Invitation) -> None:
    """Another letter; earlier links go on working. Raises `InvitationClosed`, `NoAddress`, `TooManyRequests`."""
    _require_unused(row)
    if row.expires_at <= now():
        raise InvitationClosed("This invitation has expired. Send it again instead.")
    if not row.email:
        raise NoAddress("This invitation has no e-mail: tell the person yourself.")
    _not_so_soon(row)
    await _count_letters(session, assessment, 1)
    await _write(session, "reminder", row)


def revoke(row: Invitation) -> None:
    """Nobody can start with it any more; what was started goes on. Revoking twice is harmless."""
    row.revoked_at = row.revoked_at or now()


async def remind_those_whose_time_runs_out(session: AsyncSession, at_once: int) -> int:
    """Remind everybody, once, on the last day; returns how many. Whoever was invited for a day only is not reminded."""
    moment = now()
    last_day = Invitation.expires_at.between(moment, moment + DAY), Invitation.created_at < moment - DAY
    unused = Invitation.used_at.is_(None), Invitation.revoked_at.is_(None), Invitation.reminded_at.is_(None)
    was_written_to = Invitation.email != "", Invitation.sent_at.is_not(None)
    is_open = Assessment.id == Invitation.assessment_id, Assessment.state == "open"
    query = select(Invitation).join(Assessment, is_open[0]).where(*last_day, *unused, *was_written_to, is_open[1])
    rows = list(await session.scalars(query.limit(at_once).with_for_update(of=Invitation, skip_locked=True)))
    for row in rows:
        await _write(session, "reminder", row)
    return len(rows)


async def _write(session: AsyncSession, kind: str, row: Invitation) -> None:
    await outbox.put(session, kind, row.email, invitation=row.id)
    if kind == "reminder":
        row.reminded_at = now()
    else:
        row.sent_at = now()


def _is(state: InvitationState) -> ColumnElement[bool]:
    """What `schemas.state_of` tells of one invitation, of many at once."""
    if state == "revoked":
        return Invitation.revoked_at.is_not(None)
    kept = Invitation.revoked_at.is_(None)
    if state == "used":
        return kept & Invitation.used_at.is_not(None)
    in_time = Invitation.expires_at > now()
    return kept & Invitation.used_at.is_(None) & (in_time if state == "open" else ~in_time)


def _made(assessment_id: str, person: NewInvitation, wanted: Wanted) -> tuple[Invitation, str]:
    token, moment = new_token(PREFIX), now()
    row = Invitation(
        id=new_id(),
        assessment_id=assessment_id,
        email=person.email,
        name=person.name,
        token_hash=token_hash(token),
        letter_hash=None,
        reminder_hash=None,
        extra_minutes=person.extra_minutes,
        created_by=wanted.by,
        created_at=moment,
        expires_at=moment + timedelta(days=wanted.days),
        sent_at=None,
        reminded_at=None,
        revoked_at=None,
        used_at=None,
    )
    return row, token


async def _refuse_doubles(session: AsyncSession, assessment_id: str, wanted: Wanted) -> None:
    emails = [person.email for person in wanted.people]
    here = Invitation.assessment_id == assessment_id, Invitation.revoked_at.is_(None)
    there = set(await session.scalars(select(Invitation.email).where(*here, Invitation.email.in_(set(emails)))))
    seen: Counter[str] = Counter()
    bad = []
    for number, email in enumerate(emails):
        seen[email] += 1
        if email and (email in there or seen[email] > 1):
            told = "is invited already" if email in there else "stands in this list twice"
            bad.append(FieldError(field=wanted.place(number), message=f"{email} {told}"))
    if bad:
        more = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
        raise InvitedAlready(f"{bad[0].field}: {bad[0].message}{more}. Nobody was invited.", fields=bad[:100])


async def _count_letters(session: AsyncSession, assessment: Assessment, more: int) -> None:
    of_team = select(Assessment.id).where(Assessment.team_id == assessment.team_id)
    lately = or_(Invitation.sent_at > now() - DAY, Invitation.reminded_at > now() - DAY)
    query = select(func.count()).where(Invitation.assessment_id.in_(of_team), lately)
    if more and (await session.scalar(query) or 0) + more > LETTERS_A_DAY:
        raise TooManyRequests(
            f"A team writes to at most {LETTERS_A_DAY:,} people a day. Invite without letters, or tomorrow.",
            retry_after_s=DAY.total_seconds(),
        )


def _require_unused(row: Invitation) -> None:
    if row.revoked_at is not None:
        raise InvitationClosed("This invitation was revoked. Invite the person anew.")
    if row.used_at is not None:
        raise InvitationClosed("This person has started already, so there is nothing to write.")


def _not_so_soon(row: Invitation) -> None:
    last = max(row.sent_at or row.created_at, row.reminded_at or row.created_at)
    if row.email and (wait := last + BETWEEN_LETTERS - now()) > timedelta():
        raise TooManyRequests("This person was written to just now.", retry_after_s=wait.total_seconds())
