"""Opening editorials: how far you are, giving up, reading."""

from fastapi import APIRouter

from api.accounts.identity import Anybody, Caller
from api.bodies import JsonRoute
from api.catalogue.linking import linked
from api.catalogue.routes import SlugInPath
from api.catalogue.service import ChallengeNotFound
from api.editorials import service
from api.editorials.schemas import EditorialView, HintsOpened, HintsView, OwnWay
from api.errors import CrossSite, NotSignedIn, errors
from api.interviews.closing import AskedInInterview, asked_of
from api.state import State, StateOf

router = APIRouter(tags=["editorials"], route_class=JsonRoute)
OWN = errors(NotSignedIn, ChallengeNotFound)
CHANGE = errors(CrossSite, NotSignedIn, ChallengeNotFound, AskedInInterview)
READ = errors(NotSignedIn, ChallengeNotFound, service.EditorialClosed, AskedInInterview)
HINTS = errors(NotSignedIn, ChallengeNotFound, AskedInInterview)


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
        (await asked_of(session, caller.account.id)).refuse_challenge(slug)
        await service.give_up(session, caller.account.id, slug)
    return await _way(state, caller.account.id, slug)


@router.get("/challenges/{slug}/hints", response_model=HintsView, responses=HINTS)
async def get_hints(slug: SlugInPath, viewer: Anybody, state: StateOf) -> HintsView:
    """All hints, the gentlest first. Whoever is asked for the challenge in a mock interview reads them when it has ended."""
    info = state.shelf.catalogue.get(slug).package.info
    if viewer:
        async with state.db.read() as session:
            (await asked_of(session, viewer.account.id)).refuse_challenge(slug)
    return HintsView(slug=slug, hints=list(info.hints))


@router.post("/challenges/{slug}/hints", response_model=OwnWay, responses=CHANGE)
async def open_hints(slug: SlugInPath, body: HintsOpened, caller: Caller, state: StateOf) -> OwnWay:
    """Remember how many hints you have opened. Hints cost nothing; the number is for your own history."""
    hints = state.shelf.catalogue.get(slug).package.info.hints
    async with state.db.write() as session:
        (await asked_of(session, caller.account.id)).refuse_challenge(slug)
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
        interview = (await asked_of(session, account_id)).interview(slug)
    return OwnWay(
        slug=slug,
        solved_at=way.solved_at,
        gave_up_at=way.gave_up_at,
        hints=way.hints,
        open=way.open and interview is None,
        interview=interview,
    )
