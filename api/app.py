"""The only place that puts the service together."""

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator

import structlog
from fastapi import APIRouter, Depends, FastAPI
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from api import VERSION, errors, health, pages, tracing, web
from api.accounts import routes as accounts
from api.accounts.callers import Callers
from api.accounts.identity import same_site
from api.accounts.service import Door, admin_exists
from api.addresses import letters
from api.addresses import routes as addresses
from api.assessments import routes as assessments
from api.audit import routes as audit
from api.caching import Compressed
from api.cards import routes as cards
from api.catalogue import pictures
from api.catalogue import routes as catalogue
from api.catalogue.service import Shelf
from api.db import Database
from api.desk import routes as desk
from api.drafts import routes as drafts
from api.editorials import routes as editorials
from api.events import Hub
from api.guard import Guard
from api.interviews import routes as interviews
from api.invitations import letters as invitation_letters
from api.invitations import routes as invitations
from api.judging import routes as judging
from api.judging import token_routes as node_tokens
from api.judging.dispatcher import Dispatcher
from api.judging.listener import Listener
from api.judging.node_process import NodeProcess
from api.judging.relay import Relay
from api.judging.remote import Remote
from api.judging.tokens import UsersFile
from api.letters.postman import Postman
from api.metrics.server import Metrics
from api.own import routes as own
from api.own.prover import Prover
from api.participations import routes as participations
from api.participations import trying_routes as trying
from api.participations import watching_routes as watching
from api.participations.sweeper import Timekeeper
from api.peers import Duty, Peers
from api.personal import routes as personal
from api.personal.sweeper import Sweeper
from api.profiles import routes as profiles
from api.providers import routes as providers
from api.providers.registry import Providers
from api.quizzes import routes as quizzes
from api.rejudges import own_routes as own_rejudges
from api.rejudges import routes as rejudges
from api.rejudges.pump import Pump
from api.reporting import routes as reporting
from api.reports import routes as reports
from api.reviews import routes as reviews
from api.search import routes as search
from api.search.service import Finder
from api.settings import Settings
from api.sharing import routes as sharing
from api.single import only_one
from api.standings import routes as standings
from api.standings import settling
from api.standings.settling import Settler
from api.state import State
from api.submissions import routes as submissions
from api.submissions.gathering import Intake
from api.teams import letters as team_letters
from api.teams import routes as teams
from api.topics import routes as topics
from api.tracking import routes as tracking
from api.tracking import token_routes as team_tokens
from api.webhooks import letters as webhook_letters
from api.webhooks import routes as webhooks
from api.webhooks.courier import Courier
from grader.kept import Kept

log = structlog.get_logger()
LETTERS = {**letters.KINDS, **team_letters.KINDS, **invitation_letters.KINDS, **webhook_letters.KINDS}
TAGS = [
    {"name": "accounts", "description": "Registering, signing in, e-mail addresses, sessions, API tokens, leaving."},
    {"name": "catalogue", "description": "Challenges, topics, tracks: listing, searching, reading."},
    {"name": "quizzes", "description": "Answering a topic's questions."},
    {"name": "cards", "description": "Revision cards: what is due, grading it, adding a topic's cards."},
    {"name": "interviews", "description": "Mock interviews: a timed draw of questions and challenges, and its report."},
    {"name": "submissions", "description": "Sending source, following its judging, reading results."},
    {"name": "drafts", "description": "What you are writing, kept for every device."},
    {"name": "editorials", "description": "Hints, giving up, the explanation with the reference answer."},
    {"name": "sharing", "description": "Showing an accepted answer, reading those of others."},
    {"name": "reports", "description": "Reporting errors, suggesting questions, reading the answers."},
    {"name": "teams", "description": "Teams, their members and roles, inviting people."},
    {"name": "own challenges", "description": "A team's own challenges: writing, proving, publishing."},
    {"name": "assessments", "description": "What a team asks its candidates: building, opening, freezing."},
    {"name": "invitations", "description": "Inviting people to an assessment, by letter or by a link."},
    {"name": "participations", "description": "Taking an assessment, and watching those who take it."},
    {"name": "connections", "description": "A team's webhooks, and its tokens for programs."},
    {"name": "tracking", "description": "For applicant tracking systems, with a token of a team."},
    {"name": "reviews", "description": "What a team says of those who took its assessment: notes, scores, decisions."},
    {"name": "reporting", "description": "An assessment as a whole: figures, similar answers, files to take away."},
    {"name": "desk", "description": "For admins: figures, accounts, rejudges, the audit log."},
    {"name": "standings", "description": "Boards, profiles, progress."},
    {"name": "service", "description": "Health, readiness, the queue, the nodes."},
]


def create_app(settings: Settings | None = None) -> FastAPI:
    """The service. Raises `ConfigurationError` when the settings would be unsafe."""
    settings = settings or Settings()
    settings.check()
    tracing.check(settings)
    app = FastAPI(
        title="Gradus",
        version=VERSION,
        summary="Auto-graded PyTorch challenges.",
        description="Sign in with a session cookie (browsers) or `Authorization: Bearer <API token>` (programs).",
        openapi_tags=TAGS,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
        # FastAPI's spans would hold whole addresses, and its logs what was sent.
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )
    app.state.gradus = _state(settings)
    errors.install(app)
    app.router.routes.extend(_routes())
    # Built: the web client, at every address that is nothing else. Not built: a page that says how to use the service.
    if client := web.client(settings.web_dir):
        app.mount("/", client)
    else:
        app.include_router(pages.landing_router)
    app.add_middleware(Compressed)
    app.add_middleware(Guard, settings=settings)
    return app


@functools.cache
def _routes() -> list[BaseRoute]:
    """All but the web client. They hold nothing of one service, so that a process builds them once: that takes half a second."""
    content = (catalogue, pictures, topics, search, quizzes, editorials, cards, interviews)
    rooms = (
        submissions,
        drafts,
        sharing,
        *content,
        standings,
        profiles,
        reports,
        judging,
        node_tokens,
        desk,
        rejudges,
        audit,
    )
    of_accounts = (accounts, addresses, providers, personal)
    of_teams = (teams, own, own_rejudges, assessments, invitations, watching, reviews, reporting)
    connected = (webhooks, team_tokens, tracking)
    every = APIRouter(generate_unique_id_function=_operation_id)
    # Routes are tried one after the other: first those that hundreds of candidates ask every few seconds.
    for router in (room.router for room in (participations, trying, *rooms, *of_accounts, *of_teams, *connected)):
        every.include_router(router, prefix="/api", dependencies=[Depends(same_site)])
    every.include_router(pages.router)
    every.include_router(health.router)
    return every.routes


def _state(settings: Settings) -> State:
    db = Database(settings.database)
    peers = Peers(settings, db)
    hub = Hub(peers.tell)
    shelf = Shelf(settings.challenges_dir, Kept(settings.kept), serve_unproven=settings.serve_unproven)
    dispatcher = Dispatcher(settings, db, shelf, hub, peers)
    Relay(dispatcher).listen(peers)
    dispatcher.on_judged.append(Settler(shelf).judged)
    return State(
        settings=settings,
        db=db,
        door=Door(settings),
        shelf=shelf,
        finder=Finder(),
        hub=hub,
        peers=peers,
        dispatcher=dispatcher,
        providers=Providers(settings),
        callers=Callers(db, settings.session_idle_hours),
        intake=Intake(db, settings),
    )


def _operation_id(route: APIRoute) -> str:
    return route.name


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    state: State = app.state.gradus
    with only_one(state.settings.data_dir):
        async with tracing.exporting(state.settings), _running(state):
            yield


@contextlib.asynccontextmanager
async def _running(state: State) -> AsyncIterator[None]:
    await state.db.migrate()
    await _read_challenges(state)
    await settling.fill_if_empty(state.db, state.shelf.catalogue)
    await _offer_setup(state)
    listener = Listener(state.dispatcher, state.settings.socket)
    remote = Remote(state.settings, state.dispatcher, state.shelf.kept)
    users_file = UsersFile(state.settings, state.db)
    process = NodeProcess(state.settings, state.dispatcher.nodes)
    prover = Prover(state.db, state.shelf, state.dispatcher)
    metrics = Metrics(state)
    await metrics.start()
    await state.peers.join()
    await state.dispatcher.start()
    await listener.start()
    remote.start()
    users_file.start()
    await state.peers.lead(_duties(state))
    prover.start()
    if state.settings.local_node:
        process.start()
    try:
        yield
    finally:
        state.hub.close()
        await prover.stop()
        await users_file.stop()
        await remote.stop()
        await state.dispatcher.stop()
        await process.stop()
        await listener.stop()
        await state.peers.leave()
        await metrics.stop()
        await state.callers.close()
        await state.intake.close()
        await state.db.close()


def _duties(state: State) -> list[Duty]:
    """What one process does for all that share a database."""
    postman = Postman(state.settings, state.db, letters.writer(state.settings.url, LETTERS))
    pump = Pump(state.db, state.shelf, state.dispatcher)
    courier = Courier(state.settings, state.db)
    return [pump, postman, Sweeper(state.settings, state.db), Timekeeper(state), courier]


async def _read_challenges(state: State) -> None:
    found = await asyncio.to_thread(state.shelf.reload)
    log.info("catalogue_read", challenges=len(found.challenges), topics=len(found.topics), left_out=len(found.left_out))
    for item in found.left_out:
        log.error("challenge_left_out", folder=item.folder, reason=item.reason)


async def _offer_setup(state: State) -> None:
    """While nobody is admin, print a set-up token: who reads the console may claim the site."""
    async with state.db.read() as session:
        if await admin_exists(session):
            return
    print(pages.setup_notice(state.settings.url, state.door.new_setup_token()), flush=True)
