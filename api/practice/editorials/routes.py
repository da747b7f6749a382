"""Routes to read editorials and hints, to give up, and to see your progress on a challenge."""

from fastapi import APIRouter

from api.content.catalogue.catalogue import ChallengeNotFound
from api.content.catalogue.linking import linked
from api.content.catalogue.schemas import SlugInPath
from api.content.catalogue.service import CatalogueStoreDep
from api.content.embargo import EmbargoDep, InYourAssessment
from api.identity.sessions.current_account import Anybody, Caller
from api.kit.db.database import Database
from api.kit.errors import CrossSite, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.practice.editorials import service
from api.practice.editorials.schemas import EditorialView, HintsOpened, HintsView, OwnWay
from api.practice.running_interviews.restrictions import AskedInInterview, restrictions_of

router = APIRouter(tags=["editorials"], route_class=JsonRoute)
OWN = errors(NotSignedIn, ChallengeNotFound)
CHANGE = errors(CrossSite, NotSignedIn, ChallengeNotFound, AskedInInterview, InYourAssessment)
READ = errors(NotSignedIn, ChallengeNotFound, service.EditorialClosed, AskedInInterview, InYourAssessment)
HINTS = errors(NotSignedIn, ChallengeNotFound, AskedInInterview, InYourAssessment)


@router.get("/challenges/{slug}/way", response_model=OwnWay, responses=OWN)
async def get_own_way(slug: SlugInPath, caller: Caller, db: DatabaseDep, store: CatalogueStoreDep) -> OwnWay:
    """Your progress on a challenge. Nobody else can see it."""
    store.catalogue.get(slug)
    return await _progress(db, caller.account.id, slug)


@router.post("/challenges/{slug}/giving-up", response_model=OwnWay, responses=CHANGE)
async def give_up(
    slug: SlugInPath, caller: Caller, db: DatabaseDep, store: CatalogueStoreDep, embargo: EmbargoDep
) -> OwnWay:
    """Give up on a challenge. This opens its editorial. Answers that you submit afterwards can still solve the challenge, but
    they earn no points.
    """
    store.catalogue.get(slug)
    await embargo.refuse_challenge(slug, "editorial")
    async with db.write() as session:
        (await restrictions_of(session, caller.account.id)).refuse_challenge(slug)
        await service.give_up(session, caller.account.id, slug)
    return await _progress(db, caller.account.id, slug)


@router.get("/challenges/{slug}/hints", response_model=HintsView, responses=HINTS)
async def get_hints(
    slug: SlugInPath, viewer: Anybody, db: DatabaseDep, store: CatalogueStoreDep, embargo: EmbargoDep
) -> HintsView:
    """All hints for a challenge, the least revealing first. While your mock interview contains the challenge, its hints are not
    available.
    """
    info = store.catalogue.get(slug).package.info
    await embargo.refuse_challenge(slug, "hints")
    if viewer:
        async with db.read() as session:
            (await restrictions_of(session, viewer.account.id)).refuse_challenge(slug)
    return HintsView(slug=slug, hints=list(info.hints))


@router.post("/challenges/{slug}/hints", response_model=OwnWay, responses=CHANGE)
async def open_hints(
    slug: SlugInPath, body: HintsOpened, caller: Caller, db: DatabaseDep, store: CatalogueStoreDep, embargo: EmbargoDep
) -> OwnWay:
    """Record how many hints you have opened. Hints cost no points; only you can see the number."""
    hints = store.catalogue.get(slug).package.info.hints
    await embargo.refuse_challenge(slug, "hints")
    async with db.write() as session:
        (await restrictions_of(session, caller.account.id)).refuse_challenge(slug)
        await service.count_hints(session, caller.account.id, slug, min(body.count, len(hints)))
    return await _progress(db, caller.account.id, slug)


@router.get("/challenges/{slug}/editorial", response_model=EditorialView, responses=READ)
async def get_editorial(
    slug: SlugInPath, caller: Caller, db: DatabaseDep, store: CatalogueStoreDep, embargo: EmbargoDep
) -> EditorialView:
    """The explanation and the reference answer, once you have solved the challenge or given up."""
    package = store.catalogue.get(slug).package
    await embargo.refuse_challenge(slug, "editorial")
    async with db.read() as session:
        await service.require_open(session, caller, slug)
    editorial = linked(package.editorial, f"challenges/{slug}", package.pictures)
    return EditorialView(
        slug=slug, editorial=editorial, reference=package.reference, mistakes=service.mistakes_of(package)
    )


async def _progress(db: Database, account_id: str, slug: str) -> OwnWay:
    async with db.read() as session:
        progress = await service.progress_of(session, account_id, slug)
        interview = (await restrictions_of(session, account_id)).interview(slug)
    return OwnWay(
        slug=slug,
        solved_at=progress.solved_at,
        gave_up_at=progress.gave_up_at,
        hints=progress.hints,
        open=progress.open and interview is None,
        interview=interview,
    )
