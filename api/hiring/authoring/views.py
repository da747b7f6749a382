"""Builds the response bodies of a team's own challenges."""

import asyncio
import json
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.catalogue import Challenge
from api.content.catalogue.service import CatalogueStore
from api.hiring.authoring import service
from api.hiring.authoring.schemas import GateReport, OwnCard, OwnView, PublishedView, SavedFinding
from api.hiring.team_catalogue import service as team_catalogue
from api.hiring.team_catalogue.models import OwnChallenge, OwnVersion
from api.identity.accounts.models import Account
from grader.content.required_parts import check_saved

FINDINGS = 100


def published(row: OwnChallenge, challenge: Challenge) -> PublishedView:
    package, info = challenge.package, challenge.package.info
    return PublishedView(
        number=row.published or 0,
        digest=package.digest,
        title=info.title,
        summary=info.summary,
        difficulty=info.difficulty,
        minutes=info.minutes,
        points=package.max_score,
        tests=len(package.lock.tests),
        kill_rate=package.proof.kill_rate if package.proof else 0.0,
        proven=package.proof is not None,
    )


def card(row: OwnChallenge, version: OwnVersion, author: str | None, shown: PublishedView | None) -> OwnCard:
    return OwnCard.model_validate(
        {
            "id": row.id,
            "slug": row.slug,
            "name": team_catalogue.name_of(row.slug),
            "title": row.title,
            "state": row.state,
            "version": row.version,
            "number": version.number,
            "gate": version.gate,
            "created_by": author,
            "created_at": row.created_at,
            "saved_at": version.saved_at,
            "published": shown,
        }
    )


@dataclass(frozen=True)
class ChallengeSnapshot:
    """The data of a challenge, read in one transaction. `waiting` is the number of runs of the gate ahead of it."""

    card: OwnCard
    version: OwnVersion
    waiting: int


async def read(session: AsyncSession, store: CatalogueStore, challenge: OwnChallenge) -> ChallengeSnapshot:
    """Flush the session, then read a challenge with its newest version."""
    await session.flush()
    version = await service.newest(session, challenge)
    found = await team_catalogue.published(session, store, OwnChallenge.id == challenge.id)
    shown = published(challenge, found[0][2]) if found else None
    account = await session.get(Account, challenge.created_by) if challenge.created_by else None
    own = card(challenge, version, account.name if account else None, shown)
    return ChallengeSnapshot(own, version, await service.count_ahead(session, version))


async def view(seen: ChallengeSnapshot) -> OwnView:
    """Build the view of a challenge with its files and findings. Call it outside of a transaction, because checking the files
    takes time.
    """
    version = seen.version
    files = service.files_of(version)
    checked = await asyncio.to_thread(check_saved, seen.card.slug, files)
    found = [*((each, True) for each in checked.blocking), *((each, False) for each in checked.missing)]
    return OwnView(
        **seen.card.model_dump(),
        files=files,
        findings=[SavedFinding(where=each.where, text=each.text, blocks=blocks) for each, blocks in found[:FINDINGS]],
        judgings=version.judgings,
        waiting=seen.waiting,
        report=GateReport.model_validate(json.loads(version.report)) if version.report else None,
    )
