"""Connects this package to the application: its routers, its shared objects, and its background tasks."""

import contextlib
from collections.abc import AsyncIterator

from fastapi import FastAPI

from api.content.catalogue.service import CatalogueStore
from api.judging.dispatch.dispatcher import Dispatcher
from api.judging.dispatch.offered_devices import OfferedDevices
from api.judging.dispatch.peer_messages import PeerMessages
from api.judging.intake import routes as submissions
from api.judging.intake.batching import SubmissionWriter
from api.judging.nodes import routes as nodes
from api.judging.nodes import token_routes as node_tokens
from api.judging.nodes.listener import NodeListener
from api.judging.nodes.local_process import NodeProcess
from api.judging.nodes.remote import Remote
from api.judging.nodes.tokens import NatsUsersFile
from api.judging.rejudges import routes as rejudges
from api.judging.submissions.events import EventHub
from api.kit.cluster import Cluster
from api.kit.db.database import Database
from api.kit.http.provided import lookup, provide
from api.settings import Settings

ROUTERS = [each.router for each in (submissions, nodes, node_tokens, rejudges)]
TAGS = [{"name": "submissions", "description": "Sending source, following its judging, reading results."}]


def build(app: FastAPI, settings: Settings) -> None:
    """Create the dispatcher, the event hub and the submission writer, and register them in the application."""
    db, cluster = lookup(app, Database), lookup(app, Cluster)
    hub = EventHub(cluster.broadcast)
    dispatcher = Dispatcher(settings, db, lookup(app, CatalogueStore), hub, cluster)
    PeerMessages(dispatcher).listen(cluster)
    provide(app, hub, dispatcher, SubmissionWriter(db, settings))


@contextlib.asynccontextmanager
async def running(app: FastAPI) -> AsyncIterator[None]:
    """Keep the connections to nodes open while the application runs: to nodes on other machines, and to the local node if the
    settings ask for one.
    """
    settings, db, dispatcher = lookup(app, Settings), lookup(app, Database), lookup(app, Dispatcher)
    listener = NodeListener(dispatcher, settings.socket)
    store = lookup(app, CatalogueStore)
    remote = Remote(settings, dispatcher, store.kept)
    devices = OfferedDevices(db, dispatcher.nodes, store)
    users_file = NatsUsersFile(settings, db)
    process = NodeProcess(settings, dispatcher.nodes)
    await dispatcher.start()
    await listener.start()
    remote.start()
    users_file.start()
    await devices.read()
    devices.start()
    if settings.local_node:
        process.start()
    try:
        yield
    finally:
        await devices.stop()
        await users_file.stop()
        await remote.stop()
        await dispatcher.stop()
        await process.stop()
        await listener.stop()
        await lookup(app, SubmissionWriter).close()
