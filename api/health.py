"""Two questions of whoever runs this process: does it live (`/healthz`), and shall it be sent requests (`/readyz`)?

`/api/ready` is for people and says whether answers are judged too; here that does not count: a process without nodes
takes submissions, and they wait.
"""

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse

from api import VERSION
from api.state import State, StateOf

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def alive() -> Response:
    """The process answers. Asks nothing else."""
    return JSONResponse({"status": "ok", "version": VERSION})


@router.get("/readyz")
async def ready(state: StateOf) -> Response:
    """200, or 503 with all that is missing."""
    missing = [sentence for sentence in (_going(state), _catalogue(state), await _tables(state)) if sentence]
    return JSONResponse({"ready": not missing, "missing": missing}, status_code=503 if missing else 200)


def _going(state: State) -> str:
    return "The service is stopping." if state.hub.closing else ""


def _catalogue(state: State) -> str:
    if state.shelf.catalogue.challenges:
        return ""
    return f"No challenge could be read from {state.settings.challenges_dir}; the log says why."


async def _tables(state: State) -> str:
    if not await state.db.answers():
        return "The database does not answer."
    at, newest = await state.db.version(), state.db.newest
    # Tables that are newer: another process is being upgraded, and this one goes on until its turn comes.
    return "" if at >= newest else f"The tables are at version {at or 'none'}, not {newest}; run: gradus db upgrade"
