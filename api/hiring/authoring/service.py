"""Creates, saves, checks and publishes a team's own challenges. Each save must name the version that the member has edited. A
version can be published after it has passed the gate.

A save overwrites the newest version. If that version has passed the gate, the save creates a new version instead. Assessments
pin a published version by its digest, so archiving or deleting a challenge changes nothing for candidates who have started.
"""

import json

from sqlalchemy import Select, delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased, undefer

from api.hiring.team_catalogue.models import OwnChallenge, OwnVersion
from api.hiring.teams import service as teams
from api.hiring.teams.membership import Membership
from api.identity.accounts.models import Account
from api.kit.db.database import now
from api.kit.errors import ApiError, FieldError
from api.kit.ids import new_id
from grader.content.authoring import author_files
from grader.content.required_parts import check_saved

CHALLENGES, VERSIONS = 200, 20
ASKED = ("waiting", "running")


class OwnChallengeNotFound(ApiError):
    status, code = 404, "own_challenge_not_found"


class TooManyChallenges(ApiError):
    """The team has reached the maximum number of challenges."""

    status, code = 409, "too_many_challenges"


class SlugTaken(ApiError):
    """The team has another challenge with this name."""

    status, code = 409, "slug_taken"


class BadFiles(ApiError):
    """The files cannot be stored, for example because they are too large."""

    status, code = 422, "bad_files"


class NotReady(ApiError):
    """The files have problems that would make a run of the gate fail immediately."""

    status, code = 409, "not_ready"


class GateBusy(ApiError):
    """The gate is checking another challenge of the team."""

    status, code = 409, "gate_busy"


class NotProven(ApiError):
    """The newest version has not passed the gate, and cannot be published without that."""

    status, code = 409, "not_proven"


async def create(session: AsyncSession, membership: Membership, slug: str, files: dict[str, str]) -> OwnChallenge:
    """Create a draft. Raises `TeamNotFound`, `TooManyChallenges`, `SlugTaken`."""
    await teams.lock(session, membership.team.id)
    mine = select(OwnChallenge.slug).where(OwnChallenge.team_id == membership.team.id)
    taken = list(await session.scalars(mine))
    if slug in taken:
        raise SlugTaken(f"This team already has a challenge {slug!r}. Choose another name.")
    if len(taken) >= CHALLENGES:
        raise TooManyChallenges(f"This team has {CHALLENGES} challenges. Delete one first.")
    made = OwnChallenge(
        id=new_id(),
        team_id=membership.team.id,
        slug=slug,
        title="",
        state="draft",
        created_by=membership.account.id,
        created_at=now(),
        version=0,
        published=None,
    )
    session.add(made)
    await session.flush()
    await _keep(session, made, None, files)
    return made


async def find(
    session: AsyncSession, membership: Membership, challenge_id: str, *, to_change: bool = False
) -> OwnChallenge:
    """Return a challenge of the team. With `to_change`, it is locked until the end of the transaction. Raises
    `OwnChallengeNotFound`.
    """
    query = select(OwnChallenge).where(OwnChallenge.id == challenge_id, OwnChallenge.team_id == membership.team.id)
    found: OwnChallenge | None = await session.scalar(query.with_for_update() if to_change else query)
    if found is None:
        raise OwnChallengeNotFound("This team has no challenge with this ID.")
    return found


def listing(team_id: str, state: str, slug: str, before: str) -> Select[OwnChallenge, OwnVersion, str | None]:
    """Return a query for a team's challenges, newest first, each with its newest version and the name of its creator."""
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
    """Return the newest version, including its files and report."""
    query = (
        select(OwnVersion).where(OwnVersion.challenge_id == challenge.id).order_by(OwnVersion.number.desc()).limit(1)
    )
    query = query.options(undefer(OwnVersion.files), undefer(OwnVersion.report))
    return (await session.scalars(query.execution_options(populate_existing=True))).one()


async def save(session: AsyncSession, challenge: OwnChallenge, version: int, files: dict[str, str]) -> bool:
    """Save files. `version` must be the version of the challenge that the files are based on. Returns False if the challenge
    was saved again since that version. The gate must check the saved files again.

    Saving the stored files again changes nothing, so a save whose response was lost can be repeated. Raises `BadFiles`.
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
    """Raise `BadFiles` with the first problems, at most 20, if the files cannot be stored."""
    if found := author_files.upload_complaints(files):
        fields = [FieldError(field=each.where, message=each.text) for each in found[:20]]
        raise BadFiles(f"{found[0].where} {found[0].text}.", fields=fields)


async def _keep(session: AsyncSession, challenge: OwnChallenge, last: OwnVersion | None, files: dict[str, str]) -> None:
    challenge.version += 1
    challenge.title = author_files.title(files) or challenge.slug
    if last is None or last.digest:
        number = 1 if last is None else last.number + 1
        last = OwnVersion(challenge_id=challenge.id, number=number)
        session.add(last)
    last.files, last.saved_at, last.digest, last.report = json.dumps(files), now(), "", None
    last.gate, last.asked_at, last.token, last.attempts, last.judgings = "unchecked", None, None, 0, 0
    old = OwnVersion.challenge_id == challenge.id, OwnVersion.number <= last.number - VERSIONS
    kept = challenge.published if challenge.published is not None else 0
    await session.execute(delete(OwnVersion).where(*old, OwnVersion.number != kept))


def files_of(version: OwnVersion) -> dict[str, str]:
    """Return the author's files without the lock files (tests.lock and gate.lock), which only the gate writes."""
    files: dict[str, str] = json.loads(version.files)
    return {name: text for name, text in files.items() if name not in author_files.LOCKS}


def require_ready(slug: str, files: dict[str, str]) -> None:
    """Raise `NotReady` if a run of the gate would fail immediately."""
    if blocking := check_saved(slug, files).blocking:
        first_problem = f"{blocking[0].where}: {blocking[0].text}"[:300]
        raise NotReady(f"Fix the problems in the files before you start the gate. {first_problem}")


async def ask(session: AsyncSession, membership: Membership, challenge: OwnChallenge) -> None:
    """Queue the newest version for the gate. Does nothing if it is already queued or running, or has passed. Raises
    `GateBusy`.
    """
    await teams.lock(session, membership.team.id)
    version = await newest(session, challenge)
    if version.gate in (*ASKED, "passed"):
        return
    busy = select(OwnChallenge.title).join(OwnVersion, OwnVersion.challenge_id == OwnChallenge.id)
    busy = busy.where(OwnChallenge.team_id == membership.team.id, OwnVersion.gate.in_(ASKED)).limit(1)
    if other := await session.scalar(busy):
        raise GateBusy(f"The gate is checking “{other}” for your team. Try again when it has finished.")
    version.gate, version.asked_at, version.attempts, version.judgings = "waiting", now(), 0, 0
    version.report = None


async def publish(session: AsyncSession, challenge: OwnChallenge, digest: str = "") -> None:
    """Publish the newest version, so that the team's assessments can use it. If the gate has not passed it, `digest` must be
    that of its stored package. Raises `NotProven`.
    """
    version = await newest(session, challenge)
    if version.gate != "passed" and not digest:
        raise NotProven("The gate has not passed this version. Start the gate first.")
    version.digest = version.digest or digest
    challenge.state, challenge.published = "published", version.number


def unproven_files(version: OwnVersion) -> dict[str, str]:
    """Return the files of a version that the gate has checked but not passed, with tests.lock. The gate writes that file if all
    accepted answers pass the tests. Raises `NotProven` if it has not.
    """
    files: dict[str, str] = json.loads(version.files)
    if version.gate != "failed" or "tests.lock" not in files:
        raise NotProven(
            "The gate must have run, and all accepted answers must pass the tests, before this version can be used unproven."
        )
    return files


def archive(challenge: OwnChallenge) -> None:
    """Archive the challenge, so that assessments can no longer choose it. Assessments that pinned a version keep it."""
    challenge.state = "archived"


def restore(challenge: OwnChallenge) -> None:
    """Undo archiving. A challenge that has a published version is published again; any other challenge becomes a draft."""
    if challenge.state == "archived":
        challenge.state = "draft" if challenge.published is None else "published"


async def count_ahead(session: AsyncSession, version: OwnVersion) -> int:
    """Return how many runs of the gate are in progress or queued ahead of this version, or 0 if this version is not waiting."""
    if version.gate != "waiting" or version.asked_at is None:
        return 0
    before = select(func.count()).select_from(OwnVersion)
    running = OwnVersion.gate == "running"
    earlier = (OwnVersion.gate == "waiting") & (OwnVersion.asked_at < version.asked_at)
    return await session.scalar(before.where(running | earlier)) or 0
