"""Routes for a team's own challenges: list, create and save them, check them with the gate, and publish them."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, status
from fastapi.responses import JSONResponse

from api.content.catalogue.service import CatalogueStoreDep
from api.hiring.authoring import service, views
from api.hiring.authoring.package_store import store_package
from api.hiring.authoring.schemas import NewFiles, NewOwnChallenge, OwnConflict, OwnPage, OwnState, OwnView
from api.hiring.authoring.usage import ChallengeInUse, require_unused
from api.hiring.team_catalogue import service as team_catalogue
from api.hiring.team_catalogue.models import OwnChallenge
from api.hiring.teams import activity_log
from api.hiring.teams.membership import AsAuthor, AsReviewer, RoleTooLow, TeamNotFound
from api.kit.errors import BadCursor, CrossSite, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.kit.ids import Id
from api.kit.text import CleanText
from grader.content.authoring import author_files

router = APIRouter(prefix="/teams/{team_id}/challenges", tags=["own challenges"], route_class=JsonRoute)
READ = (NotSignedIn, TeamNotFound)
WRITE = (*READ, CrossSite, RoleTooLow)
CHANGE = (*WRITE, service.OwnChallengeNotFound)
SAVED_MEANWHILE = (
    "Another member saved this challenge in the meantime. Compare both versions, and save the one that you want to keep. "
    "Nothing is lost."
)
CONFLICT: dict[int | str, dict[str, Any]] = {409: {"model": OwnConflict, "description": "own_challenge_conflict"}}


@router.get("", responses=errors(*READ, BadCursor))
async def list_own_challenges(
    membership: AsReviewer,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    state_: Annotated[OwnState | None, Query(alias="state")] = None,
    slug: Annotated[str, Query(max_length=80), CleanText] = "",
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> OwnPage:
    """List the team's own challenges, newest first. With `state=published`, list only those that can be chosen for an
    assessment.
    """
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    query = service.listing(membership.team.id, state_ or "", slug, before).limit(limit + 1)
    async with db.read() as session:
        rows = (await session.execute(query)).all()
        found = await team_catalogue.published(session, store, OwnChallenge.id.in_([row[0].id for row in rows]))
    shown = {row.id: views.published(row, challenge) for row, _, challenge in found}
    items = [views.card(row, version, name, shown.get(row.id)) for row, version, name in rows[:limit]]
    return OwnPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.post("", status_code=201, responses=errors(*WRITE, service.TooManyChallenges, service.SlugTaken))
async def create_own_challenge(
    body: NewOwnChallenge, membership: AsAuthor, db: DatabaseDep, store: CatalogueStoreDep
) -> OwnView:
    """Create a challenge from a scaffold, which is a set of template files. These files explain what to write."""
    files = await asyncio.to_thread(author_files.scaffold, body.slug, body.kind, body.form)
    async with db.write() as session:
        seen = await views.read(session, store, await service.create(session, membership, body.slug, files))
    return await views.view(seen)


@router.get("/{challenge_id}", responses=errors(*READ, service.OwnChallengeNotFound))
async def get_own_challenge(
    challenge_id: Id, membership: AsReviewer, db: DatabaseDep, store: CatalogueStoreDep
) -> OwnView:
    """Return a challenge with its files, the problems found in them, and the gate's report."""
    async with db.read() as session:
        seen = await views.read(session, store, await service.find(session, membership, challenge_id))
    return await views.view(seen)


@router.put(
    "/{challenge_id}/files",
    response_model=OwnView,
    responses={**errors(*CHANGE, service.BadFiles), **CONFLICT},
)
async def save_own_files(
    challenge_id: Id, body: NewFiles, membership: AsAuthor, db: DatabaseDep, store: CatalogueStoreDep
) -> OwnView | JSONResponse:
    """Save all files of the challenge. `version` must be the version of the challenge that the files are based on. If another
    member has saved a newer version, the response is 409 with the stored files. The gate must check the saved files again; a
    running check of the earlier files is cancelled.
    """
    async with db.write() as session:
        challenge = await service.find(session, membership, challenge_id, to_change=True)
        taken = await service.save(session, challenge, body.version, body.files)
        seen = await views.read(session, store, challenge)
    shown = await views.view(seen)
    if taken:
        return shown
    conflict = OwnConflict(code="own_challenge_conflict", message=SAVED_MEANWHILE, status=409, challenge=shown)
    return JSONResponse(conflict.model_dump(mode="json", exclude={"fields"}), status_code=409)


@router.post(
    "/{challenge_id}/gate", status_code=status.HTTP_202_ACCEPTED,
    responses=errors(*CHANGE, service.NotReady, service.GateBusy),
)  # fmt: skip
async def prove_own_challenge(
    challenge_id: Id, membership: AsAuthor, db: DatabaseDep, store: CatalogueStoreDep
) -> OwnView:
    """Start a check of the newest version by the gate. To see the progress, request the challenge again."""
    async with db.read() as session:
        challenge = await service.find(session, membership, challenge_id)
        files = service.files_of(await service.newest(session, challenge))
    await asyncio.to_thread(service.require_ready, challenge.slug, files)
    async with db.write() as session:
        challenge = await service.find(session, membership, challenge_id, to_change=True)
        await service.ask(session, membership, challenge)
        seen = await views.read(session, store, challenge)
    return await views.view(seen)


@router.post("/{challenge_id}/publish", responses=errors(*CHANGE, service.NotProven))
async def publish_own_challenge(
    challenge_id: Id,
    membership: AsAuthor,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    unproven: Annotated[bool, Query()] = False,
) -> OwnView:
    """Publish the newest version, so that the team's assessments can use it. Open assessments keep the version with which they
    were opened, until they are opened again.

    With `unproven`, a version that the gate has checked but not passed is published too, if its accepted answers pass its
    tests. It is marked wherever the team chooses it.
    """
    digest, saves = "", 0
    if unproven:
        async with db.read() as session:
            challenge = await service.find(session, membership, challenge_id)
            version, saves = await service.newest(session, challenge), challenge.version
        if version.gate != "passed":
            files = service.unproven_files(version)
            digest = await asyncio.to_thread(store_package, store, membership.team.id, challenge.slug, files)
    async with db.write() as session:
        challenge = await service.find(session, membership, challenge_id, to_change=True)
        # Another member may have saved other files while this version's package was stored.
        await service.publish(session, challenge, digest if challenge.version == saves else "")
        activity_log.record(
            session, membership, "challenge.publish", challenge.id, challenge.title, f"version {challenge.published}"
        )
        seen = await views.read(session, store, challenge)
    return await views.view(seen)


@router.post("/{challenge_id}/archive", responses=errors(*CHANGE, ChallengeInUse))
async def archive_own_challenge(
    challenge_id: Id,
    membership: AsAuthor,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    anyway: Annotated[bool, Query()] = False,
) -> OwnView:
    """Archive a challenge, so that it can no longer be chosen for assessments. Open assessments keep the version with which
    they were opened. If assessments use the challenge, the request is refused with a list of them, unless `anyway` is true.
    """
    async with db.write() as session:
        challenge = await service.find(session, membership, challenge_id, to_change=True)
        if not anyway:
            await require_unused(session, challenge)
        service.archive(challenge)
        activity_log.record(session, membership, "challenge.archive", challenge.id, challenge.title)
        seen = await views.read(session, store, challenge)
    return await views.view(seen)


@router.post("/{challenge_id}/restore", responses=errors(*CHANGE))
async def restore_own_challenge(
    challenge_id: Id, membership: AsAuthor, db: DatabaseDep, store: CatalogueStoreDep
) -> OwnView:
    """Undo archiving. A challenge that has a published version is published again; any other challenge becomes a draft."""
    async with db.write() as session:
        challenge = await service.find(session, membership, challenge_id, to_change=True)
        service.restore(challenge)
        activity_log.record(session, membership, "challenge.restore", challenge.id, challenge.title)
        seen = await views.read(session, store, challenge)
    return await views.view(seen)


@router.delete("/{challenge_id}", status_code=status.HTTP_204_NO_CONTENT, responses=errors(*CHANGE, ChallengeInUse))
async def delete_own_challenge(
    challenge_id: Id, membership: AsAuthor, db: DatabaseDep, anyway: Annotated[bool, Query()] = False
) -> None:
    """Delete a challenge with all its versions. Open assessments keep the version with which they were opened. If assessments
    use the challenge, the request is refused with a list of them, unless `anyway` is true.
    """
    async with db.write() as session:
        challenge = await service.find(session, membership, challenge_id, to_change=True)
        if not anyway:
            await require_unused(session, challenge)
        activity_log.record(session, membership, "challenge.delete", challenge.id, challenge.title)
        await session.delete(challenge)
