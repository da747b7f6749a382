"""Implements the API for applicant tracking systems: invitations with a program's own references, and their results."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.assessments.models import Assessment
from api.hiring.assessments.service import AssessmentNotFound
from api.hiring.ats.models import InvitationReference
from api.hiring.ats.schemas import NewTrackedInvitation, TrackedAttempt, TrackedInvitation
from api.hiring.ats.tokens import Program
from api.hiring.invitations import service as invitations
from api.hiring.invitations.models import Invitation
from api.hiring.invitations.schemas import NewInvitation
from api.hiring.invitations.service import InvitationNotFound, InvitationRequest
from api.hiring.monitoring import service
from api.hiring.monitoring.schemas import WatchedRow
from api.hiring.participations.models import Participation
from api.kit.errors import ApiError


class ReferenceUsed(ApiError):
    """The reference belongs to another invitation."""

    status, code = 409, "reference_used"


@dataclass(frozen=True)
class ReferencedInvitation:
    """An invitation with its assessment and the program's reference. `reference` is None unless a program created the
    invitation.
    """

    invitation: Invitation
    assessment: Assessment
    reference: str | None


def open_assessments(team_id: str, before: str) -> Select[Assessment]:
    """Return a query for a team's open assessments, newest first."""
    query = select(Assessment).where(Assessment.team_id == team_id, Assessment.state == "open")
    query = query.order_by(Assessment.id.desc())
    return query.where(Assessment.id < before) if before else query


async def invite(
    session: AsyncSession, program: Program, assessment_id: str, requested: NewTrackedInvitation, *, sends_mail: bool
) -> tuple[ReferencedInvitation, str | None]:
    """Invite a candidate, or find the invitation that already has this reference. Returns the invitation with the token of its
    link; the token is None if the invitation already existed.

    Raises `AssessmentNotFound`, `ReferenceUsed`, and what `invitations.invite` raises.
    """
    mine = Assessment.id == assessment_id, Assessment.team_id == program.team.id
    assessment = await session.scalar(select(Assessment).where(*mine).with_for_update())
    if assessment is None:
        raise AssessmentNotFound("This team has no assessment with this id.")
    if before := await _by_reference(session, program.team.id, requested.reference):
        if (before.assessment.id, before.invitation.email) != (assessment.id, requested.email):
            raise ReferenceUsed(
                "This reference belongs to another invitation. Use a new reference for each invitation."
            )
        return before, None
    person = NewInvitation(
        email=requested.email,
        name=requested.name,
        extra_minutes=requested.extra_minutes,
        time_percent=requested.time_percent,
    )
    letter = requested.letter and sends_mail
    wanted = InvitationRequest([person], requested.days, letter, program.token.created_by, lambda _: "email")
    ((invitation, token),) = await invitations.invite(session, assessment, wanted)
    reference = InvitationReference(invitation_id=invitation.id, team_id=program.team.id, reference=requested.reference)
    session.add(reference)
    try:
        await session.flush()
    except IntegrityError:
        raise ReferenceUsed("Another request used this reference at the same moment. Send the request again.") from None
    return ReferencedInvitation(invitation, assessment, requested.reference), token


async def find(session: AsyncSession, program: Program, invitation_id: str) -> ReferencedInvitation:
    """Return an invitation of the team, locked until the end of the transaction. Raises `InvitationNotFound`."""
    mine = Invitation.id == invitation_id, Assessment.team_id == program.team.id
    row = (await session.execute(_tracked().where(*mine).with_for_update(of=Invitation))).one_or_none()
    if row is None:
        raise InvitationNotFound("This team has no invitation with this ID.")
    return ReferencedInvitation(*row)


async def shown(session: AsyncSession, tracked: ReferencedInvitation, url: str, moment: datetime) -> TrackedInvitation:
    """Return an invitation's state with its attempts and their scores. `url` is the base address of the web client."""
    row = tracked.invitation
    query = select(Participation).where(Participation.invitation_id == row.id).order_by(Participation.number)
    runs = await service.rows_of(session, list(await session.scalars(query)), moment)
    page = f"{url}/teams/{tracked.assessment.team_id}/assessments/{tracked.assessment.id}/people"
    attempts = [_attempt(run, page) for run in runs]
    names = ("id", "assessment_id", "email", "name", "created_at", "expires_at")
    fields: dict[str, Any] = {name: getattr(row, name) for name in names}
    state = _state(row, attempts, moment)
    return TrackedInvitation.model_validate(
        {**fields, "reference": tracked.reference, "state": state, "attempts": attempts}
    )


async def _by_reference(session: AsyncSession, team_id: str, reference: str) -> ReferencedInvitation | None:
    mine = InvitationReference.team_id == team_id, InvitationReference.reference == reference
    row = (await session.execute(_tracked().where(*mine))).one_or_none()
    return ReferencedInvitation(*row) if row else None


def _tracked() -> Select[Invitation, Assessment, str | None]:
    return (
        select(Invitation, Assessment, InvitationReference.reference)
        .join(Assessment, Assessment.id == Invitation.assessment_id)
        .outerjoin(InvitationReference, InvitationReference.invitation_id == Invitation.id)
    )


def _attempt(run: WatchedRow, page: str) -> TrackedAttempt:
    names = (
        "id",
        "number",
        "started_at",
        "deadline",
        "finished_at",
        "score",
        "adjusted",
        "to_review",
        "points",
        "decision",
    )
    fields = {name: getattr(run, name) for name in names}
    judged = run.finished_at is not None and run.unfinished == 0 and run.to_review == 0
    return TrackedAttempt.model_validate({**fields, "judged": judged, "report": f"{page}/{run.id}"})


def _state(row: Invitation, attempts: list[TrackedAttempt], moment: datetime) -> str:
    if attempts:
        last = attempts[-1]
        return "judged" if last.judged else "finished" if last.finished_at else "started"
    if row.revoked_at is not None:
        return "revoked"
    return "invited" if row.expires_at > moment else "expired"
