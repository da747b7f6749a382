"""Keeping drafts: read yours, save it, settle what two devices wrote."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from api.accounts.identity import Caller
from api.bodies import JsonRoute
from api.catalogue.routes import SlugInPath
from api.catalogue.service import ChallengeNotFound
from api.drafts import service
from api.drafts.schemas import DraftConflict, DraftView, NewDraft, draft_view
from api.errors import CrossSite, NotSignedIn, TooManyRequests, errors
from api.state import State, StateOf
from api.submissions.intake import SourceTooLarge

router = APIRouter(tags=["drafts"], route_class=JsonRoute)
MEANWHILE = "Another device saved this draft meanwhile. Compare the two and save what you want to keep."
SAVE = errors(CrossSite, NotSignedIn, ChallengeNotFound, SourceTooLarge, TooManyRequests)
CONFLICT: dict[int | str, dict[str, Any]] = {409: {"model": DraftConflict, "description": "draft_conflict"}}


@router.get("/drafts/{slug}", response_model=DraftView, responses=errors(NotSignedIn, ChallengeNotFound))
async def get_draft(slug: SlugInPath, caller: Caller, state: StateOf) -> DraftView:
    """Your draft for a challenge. Nobody else can read it."""
    state.shelf.catalogue.get(slug)
    async with state.db.read() as session:
        return draft_view(slug, await service.find(session, caller.account.id, slug))


@router.put("/drafts/{slug}", response_model=DraftView, responses={**SAVE, **CONFLICT})
async def save_draft(slug: SlugInPath, body: NewDraft, caller: Caller, state: StateOf) -> DraftView | JSONResponse:
    """Save your draft. 409 when another device saved since the version that you name; its draft comes along."""
    state.shelf.catalogue.get(slug)
    _check(state, caller.account.id, body.source)
    wanted = service.draft_of(caller.account.id, slug, body.source, body.version)
    async with state.db.write() as session:
        kept, taken = await service.save(session, wanted)
        shown = draft_view(slug, kept)
    if taken:
        return shown
    told = DraftConflict(code="draft_conflict", message=MEANWHILE, status=409, draft=shown)
    return JSONResponse(told.model_dump(mode="json", exclude={"fields"}), status_code=409)


@router.delete("/drafts/{slug}/previous", status_code=204, responses=errors(CrossSite, NotSignedIn, ChallengeNotFound))
async def drop_previous_draft(slug: SlugInPath, caller: Caller, state: StateOf) -> None:
    """Forget the draft that a newer one took the place of when you signed in."""
    state.shelf.catalogue.get(slug)
    async with state.db.write() as session:
        await service.drop_previous(session, caller.account.id, slug)


def _check(state: State, account_id: str, source: str) -> None:
    if (size := len(source.encode())) > state.settings.source_kb * 1024:
        raise SourceTooLarge(f"The draft has {size:,} bytes; at most {state.settings.source_kb} KiB are kept.")
    if wait := state.saves.wait_s(account_id):
        raise TooManyRequests(f"At most {service.SAVES_A_MINUTE} saves a minute.", retry_after_s=wait)
    state.saves.count(account_id)
