"""Opening editorials: how far you are, giving up, reading."""

from fastapi import APIRouter

from api.accounts.identity import Caller
from api.bodies import JsonRoute
from api.catalogue.linking import linked
from api.catalogue.routes import SlugInPath
from api.catalogue.service import ChallengeNotFound
from api.editorials import service
from api.editorials.schemas import EditorialView, HintsOpened, OwnWay
from api.errors import CrossSite, NotSignedIn, errors
from api.state import State, StateOf

router = APIRouter(tags=["editorials"], route_class=JsonRoute)
OWN = errors(NotSignedIn, ChallengeNotFound)
CHANGE = errors(CrossSite, NotSignedIn, ChallengeNotFound)
READ = errors(NotSignedIn, ChallengeNotFound, service.EditorialClosed)


@router.get("/challenges/{slug}/way", response_model=OwnWay, responses=OWN)
async def get_own_way(slug: SlugInPath, caller: Caller, state: StateOf) -> OwnWay:
    """How far you are with a challenge. Nobody else is told."""
    state.shelf.catalogue.get(slug)
    return await _way(state, caller.account.id, slug)


@router.post("/challenges/{slug}/giving-up", response_model=OwnWay, responses=CHANGE)
async def give_up(slug: SlugInPath, caller: Caller, state: StateOf) -> OwnWay:
    """Open the editorial without having solved the challenge. Answers sent later can solve it, but bring no points."""
    state.shelf.catalogue.get(slug)
    async with state.db.write() as session:
        await service.give_up(session, caller.account.id, slug)
    return await _way(state, caller.account.id, slug)


@router.post("/challenges/{slug}/hints", response_model=OwnWay, responses=CHANGE)
async def open_hints(slug: SlugInPath, body: HintsOpened, caller: Caller, state: StateOf) -> OwnWay:
    """Remember how many hints you have opened. Hints cost nothing; the number is for your own history."""
    hints = state.shelf.catalogue.get(slug).package.info.hints
    async with state.db.write() as session:
        await service.count_hints(session, caller.account.id, slug, min(body.count, len(hints)))
    return await _way(state, caller.account.id, slug)


@router.get("/challenges/{slug}/editorial", response_model=EditorialView, responses=READ)
async def get_editorial(slug: SlugInPath, caller: Caller, state: StateOf) -> EditorialView:
    """The explanation and the reference answer, once you have solved the challenge or given up."""
    package = state.shelf.catalogue.get(slug).package
    async with state.db.read() as session:
        await service.must_be_open(session, caller, slug)
    editorial = linked(package.editorial, f"challenges/{slug}", package.pictures)
    return EditorialView(slug=slug, editorial=editorial, reference=package.reference)


async def _way(state: State, account_id: str, slug: str) -> OwnWay:
    async with state.db.read() as session:
        way = await service.way_of(session, account_id, slug)
    return OwnWay(slug=slug, solved_at=way.solved_at, gave_up_at=way.gave_up_at, hints=way.hints, open=way.open)
