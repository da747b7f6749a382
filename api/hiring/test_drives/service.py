"""Creates and lists test drives. A test drive is an invitation and a participation that are marked as a test. Each member of a
team has at most one test drive of an assessment.
"""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.catalogue import Catalogue
from api.content.catalogue.service import CatalogueStore
from api.hiring.assessments import versions
from api.hiring.assessments.models import Assessment
from api.hiring.assessments.service import AssessmentArchived
from api.hiring.invitations.models import Invitation
from api.hiring.invitations.service import PREFIX
from api.hiring.monitoring.service import erase_invitation
from api.hiring.participations.models import Participation
from api.hiring.teams.membership import Membership
from api.identity.accounts.hashing import new_token, token_hash
from api.kit.db.database import now
from api.kit.ids import new_id

VALID_FOR = timedelta(days=1)
LISTED = 50


async def create(
    session: AsyncSession, membership: Membership, assessment: Assessment, served: Catalogue, store: CatalogueStore
) -> tuple[Invitation, str]:
    """Create a test drive, and return its invitation with the token of its link. The member's earlier test drive is erased. The
    caller must have locked the assessment.

    Raises `AssessmentArchived`, `NoPlan`, `PlanUnusable`.
    """
    if assessment.state == "archived":
        raise AssessmentArchived("This assessment is archived. Restore it first.")
    version = await versions.newest(session, assessment.id)
    if version is None:
        raise versions.NoPlan
    versions.require_usable(versions.plan_of(version), versions.as_opened(served, version, store))
    earlier = Invitation.is_test, Invitation.assessment_id == assessment.id
    for row in await session.scalars(
        select(Invitation).where(*earlier, Invitation.created_by == membership.account.id)
    ):
        await erase_invitation(session, row)
    token, moment = new_token(PREFIX), now()
    made = Invitation(
        id=new_id(),
        assessment_id=assessment.id,
        email="",
        name=membership.account.name,
        token_hash=token_hash(token),
        letter_hash=None,
        reminder_hash=None,
        extra_minutes=0,
        time_percent=100,
        created_by=membership.account.id,
        created_at=moment,
        expires_at=moment + VALID_FOR,
        sent_at=None,
        reminded_at=None,
        revoked_at=None,
        used_at=None,
        is_test=True,
    )
    session.add(made)
    return made, token


async def started(session: AsyncSession, assessment_id: str) -> Sequence[Participation]:
    """Return the test drives of an assessment that were started, newest first, at most LISTED."""
    mine = Participation.assessment_id == assessment_id, Participation.is_test
    newest = select(Participation).where(*mine).order_by(Participation.id.desc())
    return (await session.scalars(newest.limit(LISTED))).all()
