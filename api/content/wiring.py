"""Connects this package to the application: its routes, its objects, and what happens at startup."""

import asyncio

import structlog
from fastapi import FastAPI

from api.content.catalogue import pictures
from api.content.catalogue.service import CatalogueStore
from api.content.search import routes as search
from api.content.search.service import SearchIndexCache
from api.content.topics import routes as topics
from api.kit.http.provided import lookup, provide
from api.settings import Settings
from grader.content.package_cache import PackageCache

log = structlog.get_logger()
ROUTERS = [each.router for each in (pictures, topics, search)]
TAGS = [{"name": "catalogue", "description": "Challenges, topics, tracks: listing, searching, reading."}]


def build(app: FastAPI, settings: Settings) -> None:
    """Provide the catalogue and the search index to the routes."""
    provide(
        app,
        CatalogueStore(settings.challenges_dir, PackageCache(settings.kept), serve_unproven=settings.serve_unproven),
    )
    provide(app, SearchIndexCache())


async def prepare(app: FastAPI) -> None:
    """Read the catalogue, and log every folder that is left out."""
    found = await asyncio.to_thread(lookup(app, CatalogueStore).reload)
    log.info("catalogue_read", challenges=len(found.challenges), topics=len(found.topics), left_out=len(found.left_out))
    for item in found.left_out:
        log.error("challenge_left_out", folder=item.folder, reason=item.reason)
