"""Assembles the application from its packages, which are called wings. Each wing has a module `wiring`, in which the
application finds the parts of the wing.

In `wiring`, `build` provides the wing's objects to the routes. `prepare` runs before the first request is served. `running` is
a context manager that is open while the application runs, for example to run background tasks. `leader_tasks` returns the
background tasks that only one process of a cluster may run. A wing leaves out what it does not need.
"""

import contextlib
import functools
import operator
from collections.abc import AsyncIterator

import structlog
from fastapi import APIRouter, Depends, FastAPI
from fastapi.routing import iter_route_contexts
from starlette.routing import BaseRoute

from api import VERSION
from api.content import wiring as content
from api.hiring import wiring as hiring
from api.identity import wiring as identity
from api.identity.sessions.current_account import same_site
from api.judging import wiring as judging
from api.judging.submissions.events import EventHub
from api.kit import errors, tracing
from api.kit.cluster import Cluster
from api.kit.db.database import Database
from api.kit.http import static_client
from api.kit.http.caching import Compressed
from api.kit.http.provided import lookup, provide
from api.kit.http.request_limits import RequestLimits
from api.kit.http.request_log import RequestLog
from api.kit.http.security_headers import SecurityHeaders
from api.kit.process_lock import only_one
from api.ops import pages
from api.ops import wiring as ops
from api.practice import wiring as practice
from api.route_table import RouteTable
from api.settings import Settings

log = structlog.get_logger()
# The packages of the service, called wings.
WINGS = (hiring, judging, practice, content, identity, ops)
NO_PROXY = (
    "GRADUS_PUBLIC_URL says https, so there is a proxy in front of this service, but GRADUS_TRUSTED_PROXIES is empty: all "
    "clients count as one address and share its limits. Set it to the addresses of the proxy, such as 127.0.0.1."
)


def create_app(settings: Settings | None = None) -> FastAPI:
    """Create the application. Raises `ConfigurationError` if the settings are unsafe or cannot work."""
    settings = settings or Settings()
    settings.check()
    tracing.check(settings)
    app = FastAPI(
        title="Gradus",
        version=VERSION,
        summary="Auto-graded PyTorch challenges.",
        description="Sign in with a session cookie (browsers) or `Authorization: Bearer <API token>` (programs).",
        openapi_tags=[tag for wing in reversed(WINGS) for tag in wing.TAGS],
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
        # FastAPI's own telemetry is disabled, because its spans would contain complete URLs, and its logs would contain what
        # users sent.
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )
    db = Database(settings.database)
    provide(app, settings, db, Cluster(settings, db))
    for wing in (identity, content, judging, practice, hiring):
        wing.build(app, settings)
    errors.install(app)
    app.router.routes.extend(_routes())
    # If the web client has not been built, `/` is a page that explains how to use the service.
    if client := static_client.client(settings.web_dir):
        app.mount("/", client)
    else:
        app.include_router(pages.landing_router)
    app.router.middleware_stack = RouteTable(iter_route_contexts(app.routes), app.router.middleware_stack)
    app.add_middleware(Compressed)
    # Requests pass through the middleware in reverse order of addition. SecurityHeaders is therefore the outermost, and
    # sees every response.
    app.add_middleware(RequestLimits, settings=settings)
    app.add_middleware(RequestLog)
    app.add_middleware(SecurityHeaders, settings=settings)
    return app


@functools.cache
def _routes() -> list[BaseRoute]:
    """Return all routes except those of the web client. Building them takes half a second, so they are built only once per
    process. All applications of the process can share them, because they contain no reference to an application.
    """
    every = APIRouter(generate_unique_id_function=operator.attrgetter("name"))
    for router in (router for wing in WINGS for router in wing.ROUTERS):
        every.include_router(router, prefix="/api", dependencies=[Depends(same_site)])
    for router in hiring.SOCKET_ROUTERS:
        every.include_router(router, prefix="/api")
    for router in ops.ROUTERS_OUTSIDE_API:
        every.include_router(router)
    return every.routes


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings, db, cluster = lookup(app, Settings), lookup(app, Database), lookup(app, Cluster)
    if settings.proxy_is_untrusted:
        log.warning("no_proxy_is_trusted", reason=NO_PROXY)
    with only_one(settings.data_dir):
        # At shutdown, the context managers and callbacks of this stack run in reverse order.
        async with tracing.exporting(settings), contextlib.AsyncExitStack() as stack:
            stack.push_async_callback(db.close)
            await db.migrate()
            for wing in (content, practice, ops):
                await wing.prepare(app)
            await stack.enter_async_context(identity.running(app))
            await stack.enter_async_context(ops.running(app))
            stack.push_async_callback(cluster.leave)
            await cluster.join()
            await stack.enter_async_context(judging.running(app))
            await stack.enter_async_context(practice.running(app))
            await stack.enter_async_context(hiring.running(app))
            await cluster.lead([*hiring.leader_tasks(app), *ops.leader_tasks(app)])
            stack.callback(lookup(app, EventHub).close)
            yield
