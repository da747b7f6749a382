"""Routes to read and save drafts, and to resolve conflicts between two devices."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from api.content.catalogue.catalogue import ChallengeNotFound
from api.content.catalogue.schemas import SlugInPath
from api.content.catalogue.service import CatalogueStoreDep
from api.identity.sessions.current_account import Caller
from api.judging.intake.intake import SourceTooLarge
from api.kit.errors import CrossSite, NotSignedIn, TooManyRequests, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.kit.http.json_body import JsonRoute
from api.practice.drafts import service
from api.practice.drafts.save_limit import SAVES_A_MINUTE, SaveLimit, SaveLimitDep
from api.practice.drafts.schemas import DraftConflict, DraftView, NewDraft, draft_view
from api.settings import Settings

router = APIRouter(tags=["drafts"], route_class=JsonRoute)
SAVED_MEANWHILE = (
    "Another device saved this draft in the meantime. Compare both versions, and save the one that you want to keep. "
    "Nothing is lost."
)
SAVE = errors(CrossSite, NotSignedIn, ChallengeNotFound, SourceTooLarge, TooManyRequests)
CONFLICT: dict[int | str, dict[str, Any]] = {409: {"model": DraftConflict, "description": "draft_conflict"}}


@router.get("/drafts/{slug}", response_model=DraftView, responses=errors(NotSignedIn, ChallengeNotFound))
async def get_draft(slug: SlugInPath, caller: Caller, db: DatabaseDep, store: CatalogueStoreDep) -> DraftView:
    """Your draft for a challenge. Nobody else can read it."""
    store.catalogue.get(slug)
    return draft_view(slug, await service.find(db, caller.account.id, slug))


@router.put("/drafts/{slug}", response_model=DraftView, responses={**SAVE, **CONFLICT})
async def save_draft(
    slug: SlugInPath,
    body: NewDraft,
    caller: Caller,
    db: DatabaseDep,
    settings: SettingsDep,
    store: CatalogueStoreDep,
    save_limit: SaveLimitDep,
) -> DraftView | JSONResponse:
    """Save your draft. `version` must be the version that the draft is based on. If another device has saved a newer version,
    the response is 409 with the stored draft.
    """
    store.catalogue.get(slug)
    _check(settings, save_limit, caller.account.id, body.source)
    async with db.write() as session:
        stored, saved = await service.save(session, caller.account.id, slug, body.source, body.version)
    shown = draft_view(slug, stored)
    if saved:
        return shown
    conflict = DraftConflict(code="draft_conflict", message=SAVED_MEANWHILE, status=409, draft=shown)
    return JSONResponse(conflict.model_dump(mode="json", exclude={"fields"}), status_code=409)


@router.delete("/drafts/{slug}/previous", status_code=204, responses=errors(CrossSite, NotSignedIn, ChallengeNotFound))
async def drop_previous_draft(slug: SlugInPath, caller: Caller, db: DatabaseDep, store: CatalogueStoreDep) -> None:
    """Delete your earlier draft. You have one if you wrote a draft as a guest, and then signed in to an account with a
    different draft for the same challenge: the older of the two is then the earlier draft.
    """
    store.catalogue.get(slug)
    async with db.write() as session:
        await service.drop_previous(session, caller.account.id, slug)


def _check(settings: Settings, save_limit: SaveLimit, account_id: str, source: str) -> None:
    if (size := len(source.encode())) > settings.source_kb * 1024:
        raise SourceTooLarge(f"The draft has {size:,} bytes; at most {settings.source_kb} KiB are allowed.")
    if wait := save_limit.wait_s(account_id):
        raise TooManyRequests(f"At most {SAVES_A_MINUTE} saves a minute.", retry_after_s=wait)
    save_limit.count(account_id)
