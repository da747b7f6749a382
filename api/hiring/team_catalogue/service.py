"""Provides the catalogue of a team. It contains the public challenges, the reserved ones, and the team's own published
challenges.
"""

from dataclasses import replace

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.catalogue import Catalogue, Challenge
from api.content.catalogue.service import CatalogueStore
from api.hiring.team_catalogue.models import OwnChallenge, OwnVersion

# The prefix of the names of teams' own challenges. No slug of the public catalogue contains a slash.
PREFIX = "own/"


def name_of(slug: str) -> str:
    """Return the name of a team's own challenge in plans and submissions."""
    return f"{PREFIX}{slug}"


async def catalogue_of(session: AsyncSession, store: CatalogueStore, team_id: str) -> Catalogue:
    """Return the catalogue with the reserved challenges and the team's published challenges added. It is used to check, preview
    and start assessments.
    """
    found = await published(session, store, OwnChallenge.team_id == team_id)
    own = {name_of(row.slug): challenge for row, _, challenge in found}
    more = {**store.catalogue.reserved, **own}
    return replace(store.catalogue, by_slug={**store.catalogue.by_slug, **more}) if more else store.catalogue


async def published(
    session: AsyncSession, store: CatalogueStore, *where: object
) -> list[tuple[OwnChallenge, OwnVersion, Challenge]]:
    """Return published challenges, each with its published version. Challenges whose version is no longer stored are left out."""
    query = select(OwnChallenge, OwnVersion).join(
        OwnVersion, (OwnVersion.challenge_id == OwnChallenge.id) & (OwnVersion.number == OwnChallenge.published)
    )
    rows = await session.execute(query.where(OwnChallenge.state == "published", *where))  # type: ignore[arg-type]
    found = [(row, version, store.version(version.digest)) for row, version in rows]
    return [(row, version, challenge) for row, version, challenge in found if challenge is not None]
