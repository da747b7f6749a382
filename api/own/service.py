"""Rules of a team's own challenges: saved by whoever has seen the last version, proven by the gate, published to the team alone.

The newest version is changed in place until it has passed; the next saving then makes another. What was published can be chosen
for assessments, which pin it by its digest: archiving or deleting a challenge changes nothing for who has started.
"""

import json
from dataclasses import replace

from sqlalchemy import Select, delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased, undefer

from api.accounts.models import Account
from api.catalogue.service import Catalogue, Challenge, Shelf
from api.db import now
from api.errors import ApiError, FieldError
from api.ids import new_id
from api.own.models import OwnChallenge, OwnVersion
from api.teams import service as teams
from api.teams.seats import Seat
from grader import authored

CHALLENGES, VERSIONS = 200, 20
PREFIX = "own/"
ASKED = ("waiting", "running")


class OwnChallengeNotFound(ApiError):
    """The team has no such challenge."""

    status, code = 404, "own_challenge_not_found"


class TooManyChallenges(ApiError):
    """The team has as many challenges as are allowed."""

    status, code = 409, "too_many_challenges"


class SlugTaken(ApiError):
    """The team has a challenge of this name."""

    status, code = 409, "slug_taken"


class BadFiles(ApiError):
    """Files that cannot be kept."""

    status, code = 422, "bad_files"


class NotReady(ApiError):
    """The gate would not even begin."""

    status, code = 409, "not_ready"


class GateBusy(ApiError):
    """One run of the gate a team at a time."""

    status, code = 409, "gate_busy"


class NotProven(ApiError):
    """The gate has not passed the newest version."""

    status, code = 409, "not_proven"


def name_of(slug: str) -> str:
    """What plans and submissions call it; no slug of the catalogue's has a slash."""
    return f"{PREFIX}{slug}"


async def create(session: AsyncSession, seat: Seat, slug: str, files: dict[str, str]) -> OwnChallenge:
    """A new draft. Raises `TeamNotFound`, `TooManyChallenges`, `SlugTaken`."""
    await teams.lock(session, seat.team.id)
    mine = select(OwnChallenge.slug).where(OwnChallenge.team_id == seat.team.id)
    taken = list(await session.scalars(mine))
    if slug in taken:
        raise SlugTaken(f"This team has a challenge {slug!r} already. Choose another name.")
    if len(taken) >= CHALLENGES:
        raise TooManyChallenges(f"This team has {CHALLENGES} challenges. Delete one first.")
    made = OwnChallenge(
        id=new_id(),
        team_id=seat.team.id,
        slug=slug,
        title="",
        state="draft",
        created_by=seat.account.id,
        created_at=now(),
        version=0,
        published=None,
    )
    session.add(made)
    await session.flush()
    await _keep(session, made, None, files)
    return made


async def find(session: AsyncSession, seat: Seat, challenge_id: str, *, to_change: bool = False) -> OwnChallenge:
    """A challenge of the team's, for this transaction alone if it is to be changed. Raises `OwnChallengeNotFound`."""
    query = select(OwnChallenge).where(OwnChallenge.id == challenge_id, OwnChallenge.team_id == seat.team.id)
    found: OwnChallenge | None = await session.scalar(query.with_for_update() if to_change else query)
    if found is None:
        raise OwnChallengeNotFound("This team has no challenge with this id.")
    return found


def listing(team_id: str, state: str, slug: str, before: str) -> Select[OwnChallenge, OwnVersion, str | None]:
    """A team's challenges, newest first, each with its newest version and the name of who made it."""
    other = aliased(OwnVersion)
    newest = select(func.max(other.number)).where(other.challenge_id == OwnChallenge.id).scalar_subquery()
    query = select(OwnChallenge, OwnVersion, Account.name)
    mine = (OwnVersion.challenge_id == OwnChallenge.id) & (OwnVersion.number == newest)
    query = query.select_from(OwnChallenge).join(OwnVersion, mine)
    query = query.outerjoin(Account, Account.id == OwnChallenge.created_by)
    query = query.where(OwnChallenge.team_id == team_id).order_by(OwnChallenge.id.desc())
    if state:
        query = query.where(OwnChallenge.state == state)
    if slug:
        query = query.where(OwnChallenge.slug == slug)
    return query.where(OwnChallenge.id < before) if before else query


async def newest(session: AsyncSession, challenge: OwnChallenge) -> OwnVersion:
    """The newest version, with its files and report."""
    query = (
        select(OwnVersion).where(OwnVersion.challenge_id == challenge.id).order_by(OwnVersion.number.desc()).limit(1)
    )
    query = query.options(undefer(OwnVersion.files), undefer(OwnVersion.report))
    return (await session.scalars(query.execution_options(populate_existing=True))).one()


async def save(session: AsyncSession, challenge: OwnChallenge, version: int, files: dict[str, str]) -> bool:
    """Keep files that were made from this version; returns whether they are kept. A run of the gate over the earlier ones counts
    no more. The same files saved twice are kept once, so a saving whose answer was lost may be sent again. Raises `BadFiles`.
    """
    require_keepable(files)
    last = await newest(session, challenge)
    if files_of(last) == files:
        return True
    if challenge.version != version:
        return False
    await _keep(session, challenge, last, files)
    return True


def require_keepable(files: dict[str, str]) -> None:
    """Nothing if files may be kept. Raises `BadFiles`, which names everything that is in the way."""
    if found := authored.refused(files):
        fields = [FieldError(field=each.where, message=each.text) for each in found[:20]]
        raise BadFiles(f"{found[0].where} {found[0].text}.", fields=fields)


async def _keep(session: AsyncSession, challenge: OwnChallenge, last: OwnVersion | None, files: dict[str, str]) -> None:
    challenge.version += 1
    challenge.title = authored.title(files) or challenge.slug
    if last is None or last.gate == "passed":
        number = 1 if last is None else last.number + 1
        last = OwnVersion(challenge_id=challenge.id, number=number)
        session.add(last)
    last.files, last.saved_at, last.digest, last.report = json.dumps(files), now(), "", None
    last.gate, last.asked_at, last.token, last.attempts, last.judgings = "unchecked", None, None, 0, 0
    old = OwnVersion.challenge_id == challenge.id, OwnVersion.number <= last.number - VERSIONS
    kept = challenge.published if challenge.published is not None else 0
    await session.execute(delete(OwnVersion).where(*old, OwnVersion.number != kept))


def files_of(version: OwnVersion) -> dict[str, str]:
    """An author's files, without the locks: those hold what only the gate writes."""
    files: dict[str, str] = json.loads(version.files)
    return {name: text for name, text in files.items() if name not in authored.LOCKS}


def require_ready(slug: str, files: dict[str, str]) -> None:
    """Nothing if the gate would not end at once. Raises `NotReady`."""
    if complaints := authored.checked(slug, files).complaints:
        told = f"{complaints[0].where}: {complaints[0].text}"[:300]
        raise NotReady(f"The gate begins once nothing is left to mend. {told}")


async def ask(session: AsyncSession, seat: Seat, challenge: OwnChallenge) -> None:
    """Have the gate look at the newest version; asking again while it does changes nothing. Raises `GateBusy`."""
    await teams.lock(session, seat.team.id)
    version = await newest(session, challenge)
    if version.gate in (*ASKED, "passed"):
        return
    busy = select(OwnChallenge.title).join(OwnVersion, OwnVersion.challenge_id == OwnChallenge.id)
    busy = busy.where(OwnChallenge.team_id == seat.team.id, OwnVersion.gate.in_(ASKED)).limit(1)
    if other := await session.scalar(busy):
        raise GateBusy(f"The gate looks at «{other}» for your team. Ask again when it has ended.")
    version.gate, version.asked_at, version.attempts, version.judgings = "waiting", now(), 0, 0
    version.report = None


async def publish(session: AsyncSession, challenge: OwnChallenge) -> None:
    """The newest version can be chosen for assessments of this team. Raises `NotProven`."""
    version = await newest(session, challenge)
    if version.gate != "passed":
        raise NotProven("The gate has not passed this version. Have it look first.")
    challenge.state, challenge.published = "published", version.number


def archive(challenge: OwnChallenge) -> None:
    """It can be chosen no more; what has pinned it goes on."""
    challenge.state = "archived"


def restore(challenge: OwnChallenge) -> None:
    """What was archived is a draft again, to be published anew."""
    if challenge.state == "archived":
        challenge.state = "draft"


async def catalogue_of(session: AsyncSession, shelf: Shelf, team_id: str) -> Catalogue:
    """The catalogue with what this team has published: the one look-up for plans, previews and starts."""
    found = await published(session, shelf, OwnChallenge.team_id == team_id)
    own = {name_of(row.slug): challenge for row, _, challenge in found}
    return replace(shelf.catalogue, by_slug={**shelf.catalogue.by_slug, **own}) if own else shelf.catalogue


async def published(
    session: AsyncSession, shelf: Shelf, *where: object
) -> list[tuple[OwnChallenge, OwnVersion, Challenge]]:
    """Published challenges with their published versions, as far as those are kept."""
    query = select(OwnChallenge, OwnVersion).join(
        OwnVersion, (OwnVersion.challenge_id == OwnChallenge.id) & (OwnVersion.number == OwnChallenge.published)
    )
    rows = await session.execute(query.where(OwnChallenge.state == "published", *where))  # type: ignore[arg-type]
    found = [(row, version, shelf.version(version.digest)) for row, version in rows]
    return [(row, version, challenge) for row, version, challenge in found if challenge is not None]


async def ahead(session: AsyncSession, version: OwnVersion) -> int:
    """How many runs of the gate come before this one."""
    if version.gate != "waiting" or version.asked_at is None:
        return 0
    before = select(func.count()).select_from(OwnVersion)
    running = OwnVersion.gate == "running"
    earlier = (OwnVersion.gate == "waiting") & (OwnVersion.asked_at < version.asked_at)
    return await session.scalar(before.where(running | earlier)) or 0
