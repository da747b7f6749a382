"""Prevents candidates from getting help on the rest of this site while they take an assessment. Hints, verdicts, scratch runs,
cards, mock interviews and shared answers that concern the assessment's items are refused. They are refused in the candidate's
browser, and to accounts on this site that probably belong to the candidate. Each refused request is recorded for the team.

Every route that could return such help depends on `EmbargoDep` (or `BrowserEmbargoDep`). A test finds these routes by their
response models and checks that they do.
"""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from fastapi import Request
from sqlalchemy import bindparam, select, union_all

from api.content.embargo import Feature, InYourAssessment, Item
from api.hiring.participations import service
from api.hiring.participations.models import (
    IS_RUNNING,
    CandidateAccount,
    Participation,
    ParticipationItem,
    ParticipationSignal,
)
from api.identity.sessions.credentials import Identity
from api.identity.sessions.current_account import candidate_in_this_browser
from api.kit.db.database import Database
from api.kit.db.prepared import Prepared, detached
from api.kit.http.provided import lookup
from api.kit.ids import new_id

# The items of the running assessments that `candidate` takes, and of those of which `account` probably belongs to the candidate.
# Test drives are left out: members of the team know their items anyway.
RUNS = union_all(
    select(Participation.id).where(Participation.account_id == bindparam("candidate")),
    select(CandidateAccount.participation_id).where(CandidateAccount.account_id == bindparam("account")),
)
CLOSED = Prepared(
    select(*ParticipationItem.__table__.columns)
    .join(Participation, Participation.id == ParticipationItem.participation_id)
    .where(Participation.id.in_(RUNS), IS_RUNNING, ~Participation.is_test)
)


@dataclass(frozen=True)
class ParticipationEmbargo:
    """Refuses requests that concern items of the caller's running assessments. An assessment is the caller's if it is being
    taken in this browser, or by a candidate to whom the signed-in account probably belongs.
    """

    db: Database
    candidate: Identity | None
    account: Identity | None

    async def refuse_challenge(self, slug: str, feature: Feature) -> None:
        """Raise `InYourAssessment` if a running assessment of the caller contains the challenge."""
        await self.refuse({("challenge", slug)}, feature)

    async def refuse_quiz(self, topic: str) -> None:
        """Raise `InYourAssessment` if a running assessment of the caller contains the topic's quiz."""
        await self.refuse({("quiz", topic)}, "quiz")

    async def refuse(self, wanted: Collection[Item], feature: Feature) -> None:
        """Raise `InYourAssessment` if a running assessment of the caller contains one of these items."""
        found = [item for item in await self._items() if (item.kind, item.name) in wanted]
        for item in found:
            await self._note(item, feature)
        if found:
            raise InYourAssessment

    async def closed_items(self) -> set[tuple[str, str]]:
        """Return the kind and name of every item of the caller's running assessments. Lists and random draws leave these items
        out.
        """
        return {(item.kind, item.name) for item in await self._items()}

    async def _items(self) -> Sequence[ParticipationItem]:
        if self.candidate is None and self.account is None:
            return []
        own = {"candidate": self.candidate, "account": self.account}
        rows = await self.db.look_up(CLOSED, **{name: who.account.id if who else "" for name, who in own.items()})
        return [detached(ParticipationItem, row) for row in rows]

    async def _note(self, item: ParticipationItem, feature: Feature) -> None:
        """Record the refused request, at most once a minute for the same item and feature."""
        moment = service.now()
        once = f"{item.participation_id} {item.position} {feature} {moment:%Y-%m-%d %H:%M}"
        key = hashlib.sha256(once.encode()).hexdigest()[:32]
        mine = ParticipationSignal.participation_id == item.participation_id
        async with self.db.write() as session:
            # Lock the participation. Without the lock, two simultaneous requests would both find no signal and store two.
            row = select(Participation.id).where(Participation.id == item.participation_id).with_for_update()
            await session.execute(row)
            there = select(ParticipationSignal.id).where(mine, ParticipationSignal.key == key)
            if await session.scalar(there) is None:
                signal = {"participation_id": item.participation_id, "position": item.position, "size": 0, "key": key}
                session.add(ParticipationSignal(id=new_id(), kind="practice", at=moment, detail=feature, **signal))


async def embargo_for(request: Request, account: Identity | None) -> ParticipationEmbargo:
    """Return the embargo for the sender of this request. The embargo says which items are closed (see api/content/embargo.py)."""
    candidate = await candidate_in_this_browser(request)
    return ParticipationEmbargo(lookup(request.app, Database), candidate, account)
