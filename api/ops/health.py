"""Probes for load balancers and process managers: whether the process is alive (`/healthz`), and whether it can handle
requests (`/readyz`).

The route `/api/ready` is for users, and also says whether submissions can be judged. The probes ignore this, because a process
without grading nodes still accepts submissions, which then wait in the queue.
"""

import asyncio

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from api import VERSION
from api.content.catalogue.service import CatalogueStore, CatalogueStoreDep
from api.judging.submissions.events import EventHub, EventHubDep
from api.kit import disk_space
from api.kit.db.database import Database
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.settings import Settings

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def alive() -> Response:
    """Return 200 as long as the process responds. Nothing else is checked."""
    return JSONResponse({"status": "ok", "version": VERSION})


@router.get("/readyz")
async def ready(db: DatabaseDep, settings: SettingsDep, store: CatalogueStoreDep, hub: EventHubDep) -> Response:
    """Return 200 or, if the process cannot handle requests, 503. The body lists everything that is wrong."""
    checks = (_stopping(hub), _catalogue(settings, store), await _tables(db), *await _disks(settings))
    missing = [sentence for sentence in checks if sentence]
    return JSONResponse({"ready": not missing, "missing": missing}, status_code=503 if missing else 200)


def _stopping(hub: EventHub) -> str:
    return "The service is stopping." if hub.closing else ""


def _catalogue(settings: Settings, store: CatalogueStore) -> str:
    if store.catalogue.challenges:
        return ""
    return f"No challenge could be read from {settings.challenges_dir}; the log says why."


async def _tables(db: Database) -> str:
    if not await db.answers():
        return "The database does not answer."
    at, newest = await db.version(), db.newest
    # Tables newer than this program are accepted. In a rolling upgrade, this process continues to serve until it is replaced.
    return "" if at >= newest else f"The tables are at version {at or 'none'}, not {newest}; run: gradus db upgrade"


async def _disks(settings: Settings) -> list[str]:
    # This runs in a thread, because a network disk that does not respond would block the event loop.
    try:
        return await asyncio.to_thread(disk_space.full, settings)
    except OSError as error:
        return [f"A disk cannot be used: {error}"]
