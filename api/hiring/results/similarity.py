"""Compares the answers of an assessment with each other, with answers in the team's other assessments, and with the answers of
the challenge's authors. A comparison is made on request, and is valid until an answer or challenge changes.
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

from api.content.catalogue.catalogue import Challenge
from api.content.catalogue.service import CatalogueStore
from api.hiring.assessments.models import Assessment
from api.hiring.assessments.service import find, find_to_change
from api.hiring.participations.models import Participation
from api.hiring.results import answers, passages
from api.hiring.results.answers import FinalAnswer
from api.hiring.results.models import SimilarityCheck, SimilarityPair
from api.hiring.results.schemas import PairInFull, Passage, Side, Similarity, SimilarPair
from api.hiring.teams.membership import Membership
from api.judging.submissions.models import Submission
from api.kit.db.database import Database, now
from api.kit.errors import ApiError
from api.kit.ids import new_id
from api.kit.subprocess_pool import SubprocessPool
from grader.content.package import Package
from grader.contract.job import Verdict

PROGRAM = Path(passages.__file__)
LIMIT_S = 60.0
MOST_ANSWERS, MOST_EARLIER, MOST_CHARACTERS = 3000, 3000, 32_000_000
# The version of the method. Increase it when `passages` would find different results in the same sources.
METHOD = "1"
EDITORIAL = "editorial"
FENCE = re.compile(r"^```(?:python|py)?\n(.*?)^```", re.MULTILINE | re.DOTALL)


class PairNotFound(ApiError):
    status, code = 404, "pair_not_found"


class ComparisonOutdated(ApiError):
    """A challenge has changed since the answers were compared."""

    status, code = 409, "look_again"


class TooMuchToCompare(ApiError):
    """The answers exceed the limit of one comparison."""

    status, code = 409, "too_much_to_compare"


@dataclass(frozen=True)
class _Inputs:
    """The answers and challenges that a comparison uses. `own` are the assessment's answers, and `earlier` are answers to the
    same challenges in the team's other assessments. Answers to different variants of a challenge are compared too, so `starters`
    contains the starters of all variants that were answered. `digest` changes when an answer or a challenge changes.
    """

    own: list[FinalAnswer]
    earlier: list[FinalAnswer]
    challenges: dict[str, Challenge]
    starters: dict[str, set[str]]
    digest: str


async def compare_answers(
    db: Database, store: CatalogueStore, subprocess_pool: SubprocessPool, membership: Membership, assessment_id: str
) -> None:
    """Compare the current answers, unless they were already compared. Raises `AssessmentNotFound`, `TooMuchToCompare`, and
    what `SubprocessPool.run` raises.
    """
    async with db.read() as session:
        inputs = await _inputs(session, await find(session, membership, assessment_id), store)
        check = await session.get(SimilarityCheck, assessment_id)
        if check is not None and check.digest == inputs.digest:
            return
        ids = [one.id for one in (*inputs.own, *inputs.earlier)]
        sources = await answers.sources(session, ids, passages.MOST_CHARACTERS)
    if sum(len(source) for source in sources.values()) > MOST_CHARACTERS:
        raise TooMuchToCompare("These answers are too long to be compared in one run.")
    given = json.dumps({"tasks": [_task(slug, inputs, sources) for slug in sorted({a.slug for a in inputs.own})]})
    found = json.loads(await subprocess_pool.run(PROGRAM, given.encode(), LIMIT_S))["pairs"]
    async with db.write() as session:
        await find_to_change(session, membership, assessment_id)
        await _store(session, assessment_id, inputs, found)


async def latest_comparison(session: AsyncSession, assessment: Assessment, store: CatalogueStore) -> Similarity:
    """Return the result of the latest comparison. It can be outdated; `fresh` says whether it is still valid."""
    check = await session.get(SimilarityCheck, assessment.id)
    pairs = list(await session.scalars(select(SimilarityPair).where(SimilarityPair.assessment_id == assessment.id)))
    sent = await answers.by_id(session, [key for pair in pairs for key in (pair.left_id, pair.right_id) if key])
    inputs = await _inputs(session, assessment, store)
    shown = [_pair(pair, assessment.id, sent, inputs, store) for pair in pairs]
    return Similarity(
        made_at=check.made_at if check else None,
        fresh=_is_fresh(check, inputs),
        answers=check.answers if check else 0,
        threshold=passages.LEAST_SHARE,
        pairs=sorted(shown, key=lambda pair: (-max(pair.left.share, pair.right.share), pair.id)),
    )


async def of_participation(
    session: AsyncSession, assessment: Assessment, participation_id: str, store: CatalogueStore
) -> Similarity:
    """Return the result of the latest comparison with only those pairs that contain an answer of this participation."""
    found = await latest_comparison(session, assessment, store)
    own = [
        pair for pair in found.pairs if participation_id in (pair.left.participation_id, pair.right.participation_id)
    ]
    return found.model_copy(update={"pairs": own})


async def compare_pair(
    session: AsyncSession, assessment: Assessment, pair_id: str, store: CatalogueStore
) -> PairInFull:
    """Return a pair with its sources and passages. Raises `PairNotFound`, `ComparisonOutdated`."""
    pair = await session.get(SimilarityPair, pair_id)
    if pair is None or pair.assessment_id != assessment.id:
        raise PairNotFound("This assessment has no such pair. Load the comparison again.")
    ids = [key for key in (pair.left_id, pair.right_id) if key]
    sources = await answers.sources(session, ids, passages.MOST_CHARACTERS)
    inputs = await _inputs(session, assessment, store)
    if pair.right_id is None:
        if not _is_fresh(await session.get(SimilarityCheck, assessment.id), inputs):
            raise ComparisonOutdated("A challenge has changed since these answers were compared. Compare them again.")
        sources |= _references(inputs.challenges[pair.slug].package)
    shown = _pair(pair, assessment.id, await answers.by_id(session, ids), inputs, store)
    return PairInFull(
        **shown.model_dump(),
        left_source=sources[pair.left_id],
        right_source=sources[pair.right_id or pair.reference],
        passages=[Passage(left=(a, b), right=(c, d)) for a, b, c, d in json.loads(pair.passages)],
    )


async def largest(session: AsyncSession, assessment_id: str) -> dict[str, float]:
    """Return, for each participation, the largest of the shares of its answers. An answer's share is the part of it that also
    occurs in another answer.
    """
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


def _is_fresh(check: SimilarityCheck | None, inputs: _Inputs) -> bool:
    return check is not None and check.digest == inputs.digest


async def _inputs(session: AsyncSession, assessment: Assessment, store: CatalogueStore) -> _Inputs:
    own = await answers.final_of(session, Participation.assessment_id == assessment.id, MOST_ANSWERS)
    slugs = {one.slug for one in own}
    elsewhere = (Assessment.team_id == assessment.team_id) & (Assessment.id != assessment.id)
    earlier = await answers.final_of(session, elsewhere & Submission.slug.in_(slugs), MOST_EARLIER) if slugs else []
    challenges = _challenges(own, store)
    digests = [challenge.package.digest for challenge in challenges.values()]
    parts = [METHOD, *sorted(one.id for one in (*own, *earlier)), *digests]
    starters: dict[str, set[str]] = {slug: {each.package.starter} for slug, each in challenges.items()}
    for slug, digest in {(one.slug, one.digest) for one in own}:
        if version := store.version(digest):
            starters.setdefault(slug, set()).add(version.package.starter)
    return _Inputs(own, earlier, challenges, starters, hashlib.sha256(json.dumps(parts).encode()).hexdigest())


def _challenges(own: Sequence[FinalAnswer], store: CatalogueStore) -> dict[str, Challenge]:
    """Return the challenges of these answers, by slug, in the current version from the catalogue. For a challenge that is not
    in the catalogue, such as a team's own challenge, return the version of the newest answer.
    """
    newest = {one.slug: one.digest for one in sorted(own, key=lambda one: one.id)}
    catalogue = store.catalogue
    found = {slug: catalogue.known(slug) or store.version(newest[slug]) for slug in sorted(newest)}
    return {slug: challenge for slug, challenge in found.items() if challenge}


def _task(slug: str, inputs: _Inputs, sources: dict[str, str]) -> dict[str, Any]:
    challenge = inputs.challenges.get(slug)
    package = challenge.package if challenge else None
    references = _references(package) if package else {}
    people = [
        {"id": one.id, "who": one.invitation_id, "asked": asked, "source": sources.get(one.id, "")}
        for sent, asked in ((inputs.own, True), (inputs.earlier, False))
        for one in sent
        if one.slug == slug
    ]
    written = [{"id": name, "who": "", "asked": False, "source": text} for name, text in references.items()]
    return {
        "given": [*sorted(inputs.starters.get(slug, ())), *([package.given] if package else [])],
        "references": [text for name, text in references.items() if name != EDITORIAL],
        "answers": [*people, *written],
    }


def _references(package: Package) -> dict[str, str]:
    """Return the accepted answers by a challenge's authors and the code in the challenge's editorial, by name."""
    found = {answer.name: answer.source for answer in package.answers if answer.verdict is Verdict.AC}
    return found | {EDITORIAL: "\n".join(FENCE.findall(package.editorial))}


async def _store(session: AsyncSession, assessment_id: str, inputs: _Inputs, found: Sequence[dict[str, Any]]) -> None:
    await session.execute(delete(SimilarityCheck).where(SimilarityCheck.assessment_id == assessment_id))
    slugs = sorted({one.slug for one in inputs.own})
    sent = {one.id for one in (*inputs.own, *inputs.earlier)}
    named = {pair[side] for pair in found for side in ("left", "right")} & sent
    # A candidate may have been erased while the comparison ran. Pairs that contain an answer of an erased candidate are not
    # stored.
    there = set(await session.scalars(select(Submission.id).where(Submission.id.in_(named)).with_for_update(read=True)))
    session.add(
        SimilarityCheck(assessment_id=assessment_id, digest=inputs.digest, answers=len(inputs.own), made_at=now())
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


def _pair(
    pair: SimilarityPair, assessment_id: str, sent: dict[str, FinalAnswer], inputs: _Inputs, store: CatalogueStore
) -> SimilarPair:
    known = inputs.challenges.get(pair.slug)
    left = _side(sent[pair.left_id], assessment_id, pair.left_share, store)
    if pair.right_id:
        right = _side(sent[pair.right_id], assessment_id, pair.right_share, store)
    else:
        whose = "your own" if known and known.team else "the catalogue"
        name = "The editorial" if pair.reference == EDITORIAL else f"An accepted answer of {whose}"
        right = Side(name=name, reference=True, share=pair.right_share)
    return SimilarPair(
        id=pair.id,
        slug=pair.slug,
        title=known.package.info.title if known else pair.slug,
        left=left,
        right=right,
        tokens=pair.tokens,
        variants_differ=pair.right_id is not None and left.variant != right.variant,
    )


def _side(one: FinalAnswer, assessment_id: str, share: float, store: CatalogueStore) -> Side:
    here, version = one.assessment_id == assessment_id, store.version(one.digest)
    return Side(
        participation_id=one.participation_id if here else None,
        name=one.name,
        variant=version.variant if version else "",
        elsewhere=None if here else one.assessment,
        share=share,
    )
