"""What a program of a team's may know and do: inviting under names of its own, and reading what came of it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.assessments.models import Assessment
from api.assessments.service import AssessmentNotFound
from api.errors import ApiError
from api.invitations import service as invitations
from api.invitations.models import Invitation
from api.invitations.schemas import NewInvitation
from api.invitations.service import InvitationNotFound, Wanted
from api.participations import watching
from api.participations.models import Participation
from api.participations.watching_schemas import WatchedRow
from api.tracking.models import InvitationReference
from api.tracking.schemas import NewTrackedInvitation, TrackedAttempt, TrackedInvitation
from api.tracking.tokens import Program


class ReferenceUsed(ApiError):
    """The reference stands for another invitation."""

    status, code = 409, "reference_used"


@dataclass(frozen=True)
class Tracked:
    """An invitation with its assessment, and what the program calls it."""

    invitation: Invitation
    assessment: Assessment
    reference: str | None


def open_ones(team_id: str, before: str) -> Select[Assessment]:
    """Open assessments of a team, newest first."""
    query = select(Assessment).where(Assessment.team_id == team_id, Assessment.state == "open")
    query = query.order_by(Assessment.id.desc())
    return query.where(Assessment.id < before) if before else query


async def invite(
    session: AsyncSession, program: Program, assessment_id: str, wish: NewTrackedInvitation
) -> tuple[Tracked, str | None]:
    """Invite somebody, or find whom this reference has invited; with the token of a new invitation.

    Raises `AssessmentNotFound`, `ReferenceUsed` and what `invitations.invite` raises.
    """
    mine = Assessment.id == assessment_id, Assessment.team_id == program.team.id
    assessment = await session.scalar(select(Assessment).where(*mine).with_for_update())
    if assessment is None:
        raise AssessmentNotFound("This team has no assessment with this id.")
    if before := await _by_reference(session, program.team.id, wish.reference):
        if (before.assessment.id, before.invitation.email) != (assessment.id, wish.email):
            raise ReferenceUsed("This reference stands for another invitation. Give each one its own.")
        return before, None
    person = NewInvitation(email=wish.email, name=wish.name, extra_minutes=wish.extra_minutes)
    wanted = Wanted([person], wish.days, wish.letter, program.token.created_by, lambda _: "email")
    ((invitation, token),) = await invitations.invite(session, assessment, wanted)
    reference = InvitationReference(invitation_id=invitation.id, team_id=program.team.id, reference=wish.reference)
    session.add(reference)
    try:
        await session.flush()
    except IntegrityError:
        raise ReferenceUsed("This reference was used at the same moment. Send the request again.") from None
    return Tracked(invitation, assessment, wish.reference), token


async def find(session: AsyncSession, program: Program, invitation_id: str) -> Tracked:
    """An invitation of the team's, locked until the end of the transaction. Raises `InvitationNotFound`."""
    mine = Invitation.id == invitation_id, Assessment.team_id == program.team.id
    row = (await session.execute(_tracked().where(*mine).with_for_update(of=Invitation))).one_or_none()
    if row is None:
        raise InvitationNotFound("This team has no invitation with this id.")
    return Tracked(*row)


async def shown(session: AsyncSession, tracked: Tracked, url: str, moment: datetime) -> TrackedInvitation:
    """Where somebody stands."""
    row = tracked.invitation
    query = select(Participation).where(Participation.invitation_id == row.id).order_by(Participation.number)
    runs = await watching.rows_of(session, list(await session.scalars(query)), moment)
    page = f"{url}/teams/{tracked.assessment.team_id}/assessments/{tracked.assessment.id}/people"
    attempts = [_attempt(run, page) for run in runs]
    names = ("id", "assessment_id", "email", "name", "created_at", "expires_at")
    told: dict[str, Any] = {name: getattr(row, name) for name in names}
    state = _state(row, attempts, moment)
    return TrackedInvitation.model_validate(
        {**told, "reference": tracked.reference, "state": state, "attempts": attempts}
    )


async def _by_reference(session: AsyncSession, team_id: str, reference: str) -> Tracked | None:
    mine = InvitationReference.team_id == team_id, InvitationReference.reference == reference
    row = (await session.execute(_tracked().where(*mine))).one_or_none()
    return Tracked(*row) if row else None


def _tracked() -> Select[Invitation, Assessment, str | None]:
    return (
        select(Invitation, Assessment, InvitationReference.reference)
        .join(Assessment, Assessment.id == Invitation.assessment_id)
        .outerjoin(InvitationReference, InvitationReference.invitation_id == Invitation.id)
    )


def _attempt(run: WatchedRow, page: str) -> TrackedAttempt:
    names = ("id", "number", "started_at", "deadline", "finished_at", "score", "adjusted", "points", "decision")
    told = {name: getattr(run, name) for name in names}
    judged = run.finished_at is not None and run.unfinished == 0
    return TrackedAttempt.model_validate({**told, "judged": judged, "report": f"{page}/{run.id}"})


def _state(row: Invitation, attempts: list[TrackedAttempt], moment: datetime) -> str:
    if attempts:
        last = attempts[-1]
        return "judged" if last.judged else "finished" if last.finished_at else "started"
    if row.revoked_at is not None:
        return "revoked"
    return "invited" if row.expires_at > moment else "expired"
