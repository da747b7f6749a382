"""Routes to bookmark challenges, and to keep private notes about them."""

from fastapi import APIRouter

from api.content.catalogue.catalogue import ChallengeNotFound
from api.content.catalogue.schemas import SlugInPath
from api.content.catalogue.service import CatalogueStoreDep
from api.identity.sessions.current_account import Caller
from api.kit.errors import CrossSite, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.practice.bookmarks import service
from api.practice.bookmarks.models import ChallengeNote
from api.practice.bookmarks.schemas import ChallengeNoteView, Marks, NewChallengeNote

router = APIRouter(tags=["bookmarks"], route_class=JsonRoute)
CHANGE = errors(CrossSite, NotSignedIn, ChallengeNotFound)


@router.get("/me/marks", response_model=Marks, responses=errors(NotSignedIn))
async def get_marks(caller: Caller, db: DatabaseDep) -> Marks:
    """Which challenges you have bookmarked, and for which you have a note."""
    async with db.read() as session:
        return await service.marks(session, caller.account.id)


@router.put("/me/bookmarks/{slug}", status_code=204, responses=CHANGE)
async def add_bookmark(slug: SlugInPath, caller: Caller, db: DatabaseDep, store: CatalogueStoreDep) -> None:
    """Bookmark a challenge. Doing it again changes nothing."""
    store.catalogue.get(slug)
    async with db.write() as session:
        await service.add_bookmark(session, caller.account.id, slug)


@router.delete("/me/bookmarks/{slug}", status_code=204, responses=errors(CrossSite, NotSignedIn))
async def remove_bookmark(slug: SlugInPath, caller: Caller, db: DatabaseDep) -> None:
    """Remove a bookmark. It may be one of a challenge that is no longer in the catalogue."""
    async with db.write() as session:
        await service.remove_bookmark(session, caller.account.id, slug)


@router.get("/me/notes/{slug}", response_model=ChallengeNoteView, responses=errors(NotSignedIn, ChallengeNotFound))
async def get_note(slug: SlugInPath, caller: Caller, db: DatabaseDep, store: CatalogueStoreDep) -> ChallengeNoteView:
    """Your note about a challenge. Nobody else can read it."""
    store.catalogue.get(slug)
    async with db.read() as session:
        return _view(await service.find_note(session, caller.account.id, slug))


@router.put("/me/notes/{slug}", response_model=ChallengeNoteView, responses=CHANGE)
async def save_note(
    slug: SlugInPath, body: NewChallengeNote, caller: Caller, db: DatabaseDep, store: CatalogueStoreDep
) -> ChallengeNoteView:
    """Save your note about a challenge in place of the earlier one. An empty text deletes it."""
    store.catalogue.get(slug)
    async with db.write() as session:
        return _view(await service.save_note(session, caller.account.id, slug, body.text))


def _view(note: ChallengeNote | None) -> ChallengeNoteView:
    return (
        ChallengeNoteView(text=note.text, saved_at=note.saved_at) if note else ChallengeNoteView(text="", saved_at=None)
    )
