"""Routes for the challenges that are reserved for assessments. Owners and authors of a team can read them and choose them for
assessments.
"""

from fastapi import APIRouter

from api.content.catalogue.catalogue import ChallengeNotFound
from api.content.catalogue.schemas import ChallengeView, SlugInPath, card, view
from api.content.catalogue.service import CatalogueStoreDep
from api.hiring.assessments.schemas import ReservedChallenges
from api.hiring.teams.membership import AsAuthor, RoleTooLow, TeamNotFound
from api.kit.errors import NotSignedIn, errors
from api.kit.http.json_body import JsonRoute

router = APIRouter(prefix="/teams/{team_id}/reserved-challenges", tags=["assessments"], route_class=JsonRoute)
READ = (NotSignedIn, TeamNotFound, RoleTooLow)


@router.get("", responses=errors(*READ))
async def list_reserved_challenges(_: AsAuthor, store: CatalogueStoreDep) -> ReservedChallenges:
    """List the challenges that are reserved for assessments. They appear in no public list; only owners and authors of a team
    can read them.
    """
    reserved = sorted(store.catalogue.reserved.values(), key=lambda each: each.key)
    return ReservedChallenges(items=[card(each) for each in reserved])


@router.get("/{slug}", responses=errors(*READ, ChallengeNotFound))
async def get_reserved_challenge(slug: SlugInPath, _: AsAuthor, store: CatalogueStoreDep) -> ChallengeView:
    """Return a challenge that is reserved for assessments, as candidates see it."""
    challenge = store.catalogue.reserved.get(slug)
    if challenge is None:
        raise ChallengeNotFound(f"There is no challenge {slug[:80]!r} for assessments only.")
    return view(challenge)
