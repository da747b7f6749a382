"""Answers that share passages: with each other, with those of the team's other assessments, with the catalogue's own. Looked for
when somebody asks, and kept until something else was sent.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.assessments.models import Assessment
from api.assessments.service import find, find_to_change
from api.catalogue.service import Challenge
from api.db import now
from api.errors import ApiError
from api.ids import new_id
from api.participations.models import Participation
from api.reporting import answers, passages
from api.reporting.answers import Sent
from api.reporting.models import SimilarityCheck, SimilarityPair
from api.reporting.schemas import PairInFull, Passage, Side, Similarity, SimilarPair
from api.state import State
from api.submissions.models import Submission
from api.teams.seats import Seat
from grader.job import Verdict
from grader.package import Package

PROGRAM = Path(passages.__file__)
LIMIT_S = 60.0
MOST_ANSWERS, MOST_EARLIER, MOST_CHARACTERS = 3000, 3000, 32_000_000
# Counted up when `passages` finds something else in the same sources.
METHOD = "1"
EDITORIAL = "editorial"
FENCE = re.compile(r"^```(?:python|py)?\n(.*?)^```", re.MULTILINE | re.DOTALL)


class PairNotFound(ApiError):
    """No such pair of this assessment."""

    status, code = 404, "pair_not_found"


class LookAgain(ApiError):
    """A challenge has changed since it was looked at."""

    status, code = 409, "look_again"


class TooMuchToCompare(ApiError):
    """More text than one look may have."""

    status, code = 409, "too_much_to_compare"


@dataclass(frozen=True)
class _Material:
    """What a look compares, and the digest of all of it."""

    own: list[Sent]
    earlier: list[Sent]
    challenges: dict[str, Challenge]
    digest: str


async def look(state: State, seat: Seat, assessment_id: str) -> None:
    """Compare the answers as they are now, unless that was done. Raises `AssessmentNotFound`, `TooMuchToCompare`, and what
    `Aside.run` raises.
    """
    async with state.db.read() as session:
        material = await _material(session, await find(session, seat, assessment_id), state)
        check = await session.get(SimilarityCheck, assessment_id)
        if check is not None and check.digest == material.digest:
            return
        ids = [one.id for one in (*material.own, *material.earlier)]
        sources = await answers.sources(session, ids, passages.MOST_CHARACTERS)
    if sum(len(source) for source in sources.values()) > MOST_CHARACTERS:
        raise TooMuchToCompare("These answers are too long to be compared all at once.")
    given = json.dumps({"tasks": [_task(slug, material, sources) for slug in sorted({a.slug for a in material.own})]})
    found = json.loads(await state.aside.run(PROGRAM, given.encode(), LIMIT_S))["pairs"]
    async with state.db.write() as session:
        await find_to_change(session, seat, assessment_id)
        await _keep(session, assessment_id, material, found)


async def kept(session: AsyncSession, assessment: Assessment, state: State) -> Similarity:
    """What the newest look found."""
    check = await session.get(SimilarityCheck, assessment.id)
    pairs = list(await session.scalars(select(SimilarityPair).where(SimilarityPair.assessment_id == assessment.id)))
    sent = await answers.by_id(session, [key for pair in pairs for key in (pair.left_id, pair.right_id) if key])
    material = await _material(session, assessment, state)
    shown = [_pair(pair, assessment.id, sent, material) for pair in pairs]
    return Similarity(
        made_at=check.made_at if check else None,
        fresh=_is_fresh(check, material),
        answers=check.answers if check else 0,
        threshold=passages.LEAST_SHARE,
        pairs=sorted(shown, key=lambda pair: (-max(pair.left.share, pair.right.share), pair.id)),
    )


async def in_full(session: AsyncSession, assessment: Assessment, pair_id: str, state: State) -> PairInFull:
    """A pair with its sources and passages. Raises `PairNotFound`, `LookAgain`."""
    pair = await session.get(SimilarityPair, pair_id)
    if pair is None or pair.assessment_id != assessment.id:
        raise PairNotFound("This assessment has no such pair. Look at its answers again.")
    ids = [key for key in (pair.left_id, pair.right_id) if key]
    sources = await answers.sources(session, ids, passages.MOST_CHARACTERS)
    material = await _material(session, assessment, state)
    if pair.right_id is None:
        if not _is_fresh(await session.get(SimilarityCheck, assessment.id), material):
            raise LookAgain("Something has changed since these were compared. Look at the answers again.")
        sources |= _references(material.challenges[pair.slug].package)
    shown = _pair(pair, assessment.id, await answers.by_id(session, ids), material)
    return PairInFull(
        **shown.model_dump(),
        left_source=sources[pair.left_id],
        right_source=sources[pair.right_id or pair.reference],
        passages=[Passage(left=(a, b), right=(c, d)) for a, b, c, d in json.loads(pair.passages)],
    )


async def largest(session: AsyncSession, assessment_id: str) -> dict[str, float]:
    """The largest share of an answer of each participation that is also in another one."""
    found: dict[str, float] = {}
    pair = SimilarityPair
    for key, share in ((pair.left_id, pair.left_share), (pair.right_id, pair.right_share)):
        query = (
            select(Participation.id, share)
            .join(Submission, Submission.account_id == Participation.account_id)
            .join(pair, key == Submission.id)
            .where(pair.assessment_id == assessment_id, Participation.assessment_id == assessment_id)
        )
        for participation_id, value in await session.execute(query):
            found[participation_id] = max(value, found.get(participation_id, 0.0))
    return found


def _is_fresh(check: SimilarityCheck | None, material: _Material) -> bool:
    return check is not None and check.digest == material.digest


async def _material(session: AsyncSession, assessment: Assessment, state: State) -> _Material:
    own = await answers.last_of(session, Participation.assessment_id == assessment.id, MOST_ANSWERS)
    slugs = {one.slug for one in own}
    elsewhere = (Assessment.team_id == assessment.team_id) & (Assessment.id != assessment.id)
    earlier = await answers.last_of(session, elsewhere & Submission.slug.in_(slugs), MOST_EARLIER) if slugs else []
    challenges = _challenges(own, state)
    digests = [challenge.package.digest for challenge in challenges.values()]
    parts = [METHOD, *sorted(one.id for one in (*own, *earlier)), *digests]
    return _Material(own, earlier, challenges, hashlib.sha256(json.dumps(parts).encode()).hexdigest())


def _challenges(own: Sequence[Sent], state: State) -> dict[str, Challenge]:
    """What was answered, by slug: of the catalogue as it is now, of a team's own the version that was answered last."""
    newest = {one.slug: one.digest for one in sorted(own, key=lambda one: one.id)}
    served = state.shelf.catalogue.by_slug
    found = {slug: served.get(slug) or state.shelf.version(newest[slug]) for slug in sorted(newest)}
    return {slug: challenge for slug, challenge in found.items() if challenge}


def _task(slug: str, material: _Material, sources: dict[str, str]) -> dict[str, Any]:
    challenge = material.challenges.get(slug)
    package = challenge.package if challenge else None
    references = _references(package) if package else {}
    people = [
        {"id": one.id, "who": one.invitation_id, "asked": asked, "source": sources.get(one.id, "")}
        for sent, asked in ((material.own, True), (material.earlier, False))
        for one in sent
        if one.slug == slug
    ]
    written = [{"id": name, "who": "", "asked": False, "source": text} for name, text in references.items()]
    return {
        "given": [package.starter, package.given] if package else [],
        "references": [text for name, text in references.items() if name != EDITORIAL],
        "answers": [*people, *written],
    }


def _references(package: Package) -> dict[str, str]:
    """Accepted answers of a challenge's authors by their names, and the code of the editorial."""
    found = {answer.name: answer.source for answer in package.answers if answer.verdict is Verdict.AC}
    return found | {EDITORIAL: "\n".join(FENCE.findall(package.editorial))}


async def _keep(
    session: AsyncSession, assessment_id: str, material: _Material, found: Sequence[dict[str, Any]]
) -> None:
    await session.execute(delete(SimilarityCheck).where(SimilarityCheck.assessment_id == assessment_id))
    slugs = sorted({one.slug for one in material.own})
    sent = {one.id for one in (*material.own, *material.earlier)}
    named = {pair[side] for pair in found for side in ("left", "right")} & sent
    # Somebody may have been erased meanwhile.
    there = set(await session.scalars(select(Submission.id).where(Submission.id.in_(named)).with_for_update(read=True)))
    session.add(
        SimilarityCheck(assessment_id=assessment_id, digest=material.digest, answers=len(material.own), made_at=now())
    )
    await session.flush()
    for pair in found:
        if {pair["left"], pair["right"]} & sent <= there:
            session.add(_row(assessment_id, slugs[pair["task"]], pair, there))


def _row(assessment_id: str, slug: str, pair: dict[str, Any], there: set[str]) -> SimilarityPair:
    right = pair["right"]
    return SimilarityPair(
        id=new_id(),
        assessment_id=assessment_id,
        slug=slug,
        left_id=pair["left"],
        right_id=right if right in there else None,
        reference="" if right in there else right,
        left_share=pair["left_share"],
        right_share=pair["right_share"],
        tokens=pair["tokens"],
        passages=json.dumps(pair["passages"]),
    )


def _pair(pair: SimilarityPair, assessment_id: str, sent: dict[str, Sent], material: _Material) -> SimilarPair:
    known = material.challenges.get(pair.slug)
    if pair.right_id:
        right = _side(sent[pair.right_id], assessment_id, pair.right_share)
    else:
        whose = "your own" if known and known.team else "the catalogue"
        name = "The editorial" if pair.reference == EDITORIAL else f"An accepted answer of {whose}"
        right = Side(name=name, reference=True, share=pair.right_share)
    return SimilarPair(
        id=pair.id,
        slug=pair.slug,
        title=known.package.info.title if known else pair.slug,
        left=_side(sent[pair.left_id], assessment_id, pair.left_share),
        right=right,
        tokens=pair.tokens,
    )


def _side(one: Sent, assessment_id: str, share: float) -> Side:
    here = one.assessment_id == assessment_id
    return Side(
        participation_id=one.participation_id if here else None,
        name=one.name,
        elsewhere=None if here else one.assessment,
        share=share,
    )
