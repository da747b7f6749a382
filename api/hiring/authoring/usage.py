"""Finds the assessments that use a team's own challenge, before it is archived or deleted."""

from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.assessments.service import using
from api.hiring.team_catalogue.models import OwnChallenge
from api.hiring.team_catalogue.service import name_of
from api.kit.errors import ApiError, FieldError


class ChallengeInUse(ApiError):
    """Drafts or open assessments of the team use the challenge. The caller can repeat the request with `anyway` to archive or
    delete it nevertheless; open assessments then keep the version with which they were opened.
    """

    status, code = 409, "challenge_in_use"


async def require_unused(session: AsyncSession, challenge: OwnChallenge) -> None:
    """Raise `ChallengeInUse`, with the IDs of the assessments, if the plan of a draft or an open assessment contains the
    challenge.
    """
    found = await using(session, challenge.team_id, name_of(challenge.slug))
    if not found:
        return
    fields = [FieldError(field=each.id, message=f"{each.name} ({each.state})") for each in found]
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    raise ChallengeInUse(
        f"The assessment “{found[0].name}”{more} uses this challenge. Open assessments keep the version that they were "
        "opened with; drafts need another choice before they can be opened.",
        fields=fields,
    )
