"""Routes for the variants of challenges. Owners and authors of a team can read them when they build an assessment."""

from typing import Annotated

from fastapi import APIRouter, Path

from api.content.catalogue.schemas import ChallengeView, SlugInPath, view
from api.content.catalogue.service import CatalogueStoreDep
from api.hiring.assessments.schemas import ChallengeVariants, VariantCard, VariedChallenge
from api.hiring.teams.membership import AsAuthor, RoleTooLow, TeamNotFound
from api.kit.errors import ApiError, NotSignedIn, errors
from api.kit.http.json_body import JsonRoute
from api.kit.text import CleanText

router = APIRouter(prefix="/teams/{team_id}/challenge-variants", tags=["assessments"], route_class=JsonRoute)
READ = (NotSignedIn, TeamNotFound, RoleTooLow)
VariantInPath = Annotated[str, Path(max_length=200), CleanText]


class VariantNotFound(ApiError):
    """The challenge has no variant of this name."""

    status, code = 404, "variant_not_found"


@router.get("", responses=errors(*READ))
async def list_challenge_variants(_: AsAuthor, store: CatalogueStoreDep) -> ChallengeVariants:
    """List the challenges that have variants. If an assessment draws the variants of a challenge, each candidate gets one of
    them. An answer to one variant fails the tests of the others.
    """
    served = (*store.catalogue.challenges, *store.catalogue.reserved.values())
    items = [
        VariedChallenge(
            slug=each.package.slug,
            variants=[VariantCard(name=variant.name, summary=variant.summary) for variant in each.variants],
        )
        for each in served
        if each.variants
    ]
    return ChallengeVariants(items=items)


@router.get("/{slug}/{variant}", responses=errors(*READ, VariantNotFound))
async def get_challenge_variant(
    slug: SlugInPath, variant: VariantInPath, _: AsAuthor, store: CatalogueStoreDep
) -> ChallengeView:
    """Return a variant of a challenge, as candidates see it."""
    challenge = store.catalogue.known(slug)
    digests = {each.name: each.digest for each in challenge.variants} if challenge else {}
    found = store.version(digests.get(variant, ""))
    if found is None:
        raise VariantNotFound(f"The challenge {slug[:80]!r} has no variant {variant[:80]!r}.")
    return view(found)
