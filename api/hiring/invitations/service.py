"""Creates, sends and revokes invitations. In each assessment, an email address has at most one invitation that is not revoked.
A link is shown only once, an invitation expires after a number of days, and the number of emails per team and day is limited.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import ColumnElement, Select, func, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.assessments.models import Assessment
from api.hiring.invitations.models import Invitation
from api.hiring.invitations.schemas import InvitationState, NewInvitation
from api.identity.accounts.hashing import new_token, token_hash
from api.identity.mail import outbox
from api.kit.db.database import now
from api.kit.errors import ApiError, FieldError, TooManyRequests
from api.kit.ids import new_id

PREFIX = "take_"
MOST = 5000
MAILS_A_DAY = 1000
BETWEEN_MAILS = timedelta(minutes=10)
DAY = timedelta(days=1)


class InvitationNotFound(ApiError):
    status, code = 404, "invitation_not_found"


class NotOpen(ApiError):
    """The assessment is not open, so no one can be invited."""

    status, code = 409, "assessment_not_open"


class InvitedAlready(ApiError):
    """An address already has an invitation, or appears twice in the list."""

    status, code = 409, "invited_already"


class TooManyInvitations(ApiError):
    """The assessment has reached the maximum number of invitations."""

    status, code = 409, "too_many_invitations"


class InvitationClosed(ApiError):
    """The invitation was used, revoked or has expired."""

    status, code = 409, "invitation_closed"


class NoMailServer(ApiError):
    """This site sends no email."""

    status, code = 409, "no_mail_server"


class NoAddress(ApiError):
    """The invitation has no email address."""

    status, code = 409, "no_address"


@dataclass(frozen=True)
class InvitationRequest:
    """The candidates to invite (`people`), the number of days in which they can start, whether they get emails (`letters`), and
    the ID of the account that invites them (`by`). `letters` must be false if this site sends no email. `place` maps an index
    of `people` to the words with which an error message refers to that candidate, such as a line number.
    """

    people: Sequence[NewInvitation]
    days: int
    letters: bool
    by: str | None
    place: Callable[[int], str]


async def invite(
    session: AsyncSession, assessment: Assessment, wanted: InvitationRequest
) -> list[tuple[Invitation, str]]:
    """Create invitations, and return each with the token of its link. The caller must have locked the assessment.

    Raises `NotOpen`, `InvitedAlready`, `TooManyInvitations`, `TooManyRequests`.
    """
    if assessment.state != "open":
        raise NotOpen("Open the assessment first. Until then, no one can take it.")
    await _refuse_duplicates(session, assessment.id, wanted)
    there = select(func.count()).where(Invitation.assessment_id == assessment.id, ~Invitation.is_test)
    if (await session.scalar(there) or 0) + len(wanted.people) > MOST:
        raise TooManyInvitations(f"An assessment has at most {MOST:,} invitations. Clone it to invite more candidates.")
    if wanted.letters:
        await _count_mails(session, assessment, sum(bool(person.email) for person in wanted.people))
    made = [_made(assessment.id, person, wanted) for person in wanted.people]
    session.add_all(row for row, _ in made)
    try:
        await session.flush()
    except IntegrityError:
        raise InvitedAlready(
            "Another member invited one of these candidates at the same moment. Load the list again."
        ) from None
    for row, _ in made:
        if row.email and wanted.letters:
            await _write(session, "invitation", row)
    return made


def listing(assessment_id: str, q: str, state: InvitationState | None, before: str) -> Select[Invitation]:
    """Return a query for an assessment's invitations, newest first. `q` is a part of an email address or name."""
    mine = Invitation.assessment_id == assessment_id, ~Invitation.is_test
    query = select(Invitation).where(*mine).order_by(Invitation.id.desc())
    if q:
        name, text = func.lower(Invitation.name), q.lower()
        query = query.where(or_(Invitation.email.contains(text, autoescape=True), name.contains(text, autoescape=True)))
    if state:
        query = query.where(_is(state))
    return query.where(Invitation.id < before) if before else query


async def find(session: AsyncSession, assessment_id: str, invitation_id: str) -> Invitation:
    """Return an invitation, locked until the end of the transaction. Raises `InvitationNotFound`."""
    mine = Invitation.assessment_id == assessment_id, ~Invitation.is_test
    query = select(Invitation).where(Invitation.id == invitation_id, *mine)
    row: Invitation | None = await session.scalar(query.with_for_update())
    if row is None:
        raise InvitationNotFound("This assessment has no invitation with this ID.")
    return row


async def send_again(session: AsyncSession, assessment: Assessment, row: Invitation, *, sends_mail: bool) -> str:
    """Create a new link, and send an email if the invitation has an address and the site sends email. Returns the new token.
    Earlier links stop working, and the invitation is valid for its full period again.

    Raises `InvitationClosed`, `TooManyRequests`.
    """
    _require_unused(row)
    _require_pause(row)
    token = new_token(PREFIX)
    row.token_hash, row.letter_hash, row.reminder_hash, row.sent_at = token_hash(token), None, None, None
    row.expires_at, row.created_at = now() + (row.expires_at - row.created_at), now()
    if row.email and sends_mail:
        await _count_mails(session, assessment, 1)
        await _write(session, "invitation", row)
    return token


async def remind(session: AsyncSession, assessment: Assessment, row: Invitation, *, sends_mail: bool) -> None:
    """Send a reminder. Earlier links keep working. Raises `InvitationClosed`, `NoAddress`, `NoMailServer`, `TooManyRequests`."""
    _require_unused(row)
    if row.expires_at <= now():
        raise InvitationClosed("This invitation has expired. Send it again instead.")
    if not row.email:
        raise NoAddress("This invitation has no email address. Contact the candidate yourself.")
    if not sends_mail:
        raise NoMailServer("This site does not send email. Contact the candidate yourself.")
    _require_pause(row)
    await _count_mails(session, assessment, 1)
    await _write(session, "reminder", row)


def revoke(row: Invitation) -> None:
    """Revoke the invitation, so that it can no longer be used to start. A participation that has started continues."""
    row.revoked_at = row.revoked_at or now()


async def send_due_reminders(session: AsyncSession, at_once: int) -> int:
    """Send one reminder to each candidate who was invited by email and whose invitation expires within a day. At most `at_once`
    reminders are sent; returns how many were. Candidates who were invited less than a day ago get none.
    """
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
    """Return an SQL condition for invitations in this state. It gives the same result as `schemas.state_of`."""
    if state == "revoked":
        return Invitation.revoked_at.is_not(None)
    kept = Invitation.revoked_at.is_(None)
    if state == "used":
        return kept & Invitation.used_at.is_not(None)
    in_time = Invitation.expires_at > now()
    return kept & Invitation.used_at.is_(None) & (in_time if state == "open" else ~in_time)


def _made(assessment_id: str, person: NewInvitation, wanted: InvitationRequest) -> tuple[Invitation, str]:
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
        time_percent=person.time_percent,
        created_by=wanted.by,
        created_at=moment,
        expires_at=moment + timedelta(days=wanted.days),
        sent_at=None,
        reminded_at=None,
        revoked_at=None,
        used_at=None,
    )
    return row, token


async def _refuse_duplicates(session: AsyncSession, assessment_id: str, wanted: InvitationRequest) -> None:
    emails = [person.email for person in wanted.people]
    here = Invitation.assessment_id == assessment_id, Invitation.revoked_at.is_(None)
    there = set(await session.scalars(select(Invitation.email).where(*here, Invitation.email.in_(set(emails)))))
    seen: Counter[str] = Counter()
    bad = []
    for number, email in enumerate(emails):
        seen[email] += 1
        if email and (email in there or seen[email] > 1):
            problem = "is invited already" if email in there else "appears in this list twice"
            bad.append(FieldError(field=wanted.place(number), message=f"{email} {problem}"))
    if bad:
        more = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
        raise InvitedAlready(f"{bad[0].field}: {bad[0].message}{more}. No one was invited.", fields=bad[:100])


async def _count_mails(session: AsyncSession, assessment: Assessment, more: int) -> None:
    of_team = select(Assessment.id).where(Assessment.team_id == assessment.team_id)
    lately = or_(Invitation.sent_at > now() - DAY, Invitation.reminded_at > now() - DAY)
    query = select(func.count()).where(Invitation.assessment_id.in_(of_team), lately)
    if more and (await session.scalar(query) or 0) + more > MAILS_A_DAY:
        raise TooManyRequests(
            f"A team can email at most {MAILS_A_DAY:,} candidates a day. Invite without emails, or try again tomorrow.",
            retry_after_s=DAY.total_seconds(),
        )


def _require_unused(row: Invitation) -> None:
    if row.revoked_at is not None:
        raise InvitationClosed("This invitation was revoked. Invite the candidate again.")
    if row.used_at is not None:
        raise InvitationClosed("This candidate has already started, so no email is needed.")


def _require_pause(row: Invitation) -> None:
    mails = [moment for moment in (row.sent_at, row.reminded_at) if moment is not None]
    if mails and (wait := max(mails) + BETWEEN_MAILS - now()) > timedelta():
        raise TooManyRequests(
            "This candidate got an email a few minutes ago. Try again later.", retry_after_s=wait.total_seconds()
        )
