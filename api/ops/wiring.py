"""Connects this package to the application: its routes, its objects and its background tasks."""

import contextlib
from collections.abc import AsyncIterator

from fastapi import FastAPI

from api.content.catalogue.service import CatalogueStore
from api.hiring.wiring import MAIL_KINDS
from api.identity.email_addresses import mail
from api.identity.mail.sender import MailSender
from api.identity.sign_in.service import SignInLimits, admin_exists
from api.judging.dispatch.dispatcher import Dispatcher
from api.kit.cluster import LeaderTask
from api.kit.db.database import Database
from api.kit.http.provided import lookup
from api.ops import health, pages
from api.ops.admin import routes as admin
from api.ops.metrics.server import Metrics
from api.ops.privacy import routes as privacy
from api.ops.privacy.sweeper import Sweeper
from api.settings import Settings

ROUTERS = [each.router for each in (admin, privacy)]
ROUTERS_OUTSIDE_API = [pages.router, health.router]
TAGS = [
    {"name": "desk", "description": "For admins: statistics, accounts, rejudges, the audit log."},
    {"name": "service", "description": "Health, readiness, the queue, the nodes."},
]
MAIL_TEMPLATES = {**mail.KINDS, **MAIL_KINDS}


async def prepare(app: FastAPI) -> None:
    """If the site has no admin, print a setup token on the console. The operator of the service, who can read the console,
    creates the first admin with it.
    """
    async with lookup(app, Database).read() as session:
        if await admin_exists(session):
            return
    print(pages.setup_notice(lookup(app, Settings).url, lookup(app, SignInLimits).new_setup_token()), flush=True)


@contextlib.asynccontextmanager
async def running(app: FastAPI) -> AsyncIterator[None]:
    """Serve the metrics while the application runs."""
    metrics = Metrics(lookup(app, Dispatcher), lookup(app, CatalogueStore))
    await metrics.start()
    try:
        yield
    finally:
        await metrics.stop()


def leader_tasks(app: FastAPI) -> list[LeaderTask]:
    """Return the background tasks that only the leader of the cluster runs."""
    settings, db = lookup(app, Settings), lookup(app, Database)
    return [MailSender(settings, db, mail.writer(settings.url, MAIL_TEMPLATES)), Sweeper(settings, db)]
