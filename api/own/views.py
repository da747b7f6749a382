"""From rows to what a team is shown of its own challenges."""

import asyncio
import json
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts.models import Account
from api.catalogue.service import Challenge, Shelf
from api.own import service
from api.own.models import OwnChallenge, OwnVersion
from api.own.schemas import GateReport, OwnCard, OwnFinding, OwnView, PublishedView
from grader import authored

FINDINGS = 100


def published(row: OwnChallenge, challenge: Challenge) -> PublishedView:
    """The published version."""
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
    )


def card(row: OwnChallenge, version: OwnVersion, author: str | None, shown: PublishedView | None) -> OwnCard:
    """A challenge in a list."""
    return OwnCard.model_validate(
        {
            "id": row.id,
            "slug": row.slug,
            "name": service.name_of(row.slug),
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
class Seen:
    """What was read of a challenge, in one transaction."""

    card: OwnCard
    version: OwnVersion
    waiting: int


async def look(session: AsyncSession, shelf: Shelf, challenge: OwnChallenge) -> Seen:
    """Read a challenge with its newest version; what was changed before is written first."""
    await session.flush()
    version = await service.newest(session, challenge)
    found = await service.published(session, shelf, OwnChallenge.id == challenge.id)
    shown = published(challenge, found[0][2]) if found else None
    account = await session.get(Account, challenge.created_by) if challenge.created_by else None
    own = card(challenge, version, account.name if account else None, shown)
    return Seen(own, version, await service.ahead(session, version))


async def told(seen: Seen) -> OwnView:
    """A challenge with its files and findings: outside of any transaction, since reading an author's files takes a moment."""
    version = seen.version
    files = service.files_of(version)
    checked = await asyncio.to_thread(authored.checked, seen.card.slug, files)
    return OwnView(
        **seen.card.model_dump(),
        files=files,
        findings=[OwnFinding(where=each.where, text=each.text) for each in checked.complaints[:FINDINGS]],
        judgings=version.judgings,
        waiting=seen.waiting,
        report=GateReport.model_validate(json.loads(version.report)) if version.report else None,
    )
