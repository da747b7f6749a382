"""Routes for the tokens of nodes on other machines, for admins."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel

from api.identity.audit import service as audit
from api.identity.audit.service import Acting, Action
from api.identity.sessions.current_account import Admin
from api.judging.nodes import tokens
from api.kit.db.database import Database
from api.kit.errors import ApiError, CrossSite, Forbidden, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.settings import Settings
from grader.contract import subjects

router = APIRouter(tags=["service"])
Name = Annotated[str, Path(pattern=f"^{subjects.NAME.pattern}$", description="Lowercase letters, digits and hyphens.")]

Elastic = Annotated[bool, Query(description="It is one of a group that grows and shrinks: it may be away.")]


class NoNats(ApiError):
    """This service has no nats-server, so nodes on other machines cannot join it."""

    status, code = 409, "no_nats"


class NodeTokenNotFound(ApiError):
    """No node of this name has a token."""

    status, code = 404, "node_token_not_found"


class NodeToken(BaseModel):
    """The token of a node, without the secret. `name` is the name of the node, and `joined_at` is when the node last joined
    with this token. An `elastic` node is started and stopped automatically, and is never reported as missing.
    """

    name: str
    created_at: datetime
    joined_at: datetime | None
    elastic: bool


class NodeTokenList(BaseModel):
    """The tokens, sorted by node name. `url` is the URL that nodes connect to, or null if this service has no nats-server."""

    url: str | None
    items: list[NodeToken]


class NodeTokenMade(BaseModel):
    """A new token, and the command to run on the machine that should join. Both are shown only once."""

    name: str
    token: str
    command: str


WRITE = (CrossSite, NotSignedIn, Forbidden)


@router.get("/admin/node-tokens", responses=errors(NotSignedIn, Forbidden))
async def list_node_tokens(_: Admin, db: DatabaseDep, settings: SettingsDep) -> NodeTokenList:
    """The tokens of nodes on other machines. A node without a token cannot join."""
    return await _listed(db, settings)


@router.put("/admin/node-tokens/{name}", responses=errors(*WRITE, NoNats, tokens.TooManyNodeTokens))
async def make_node_token(
    name: Name, actor: Acting, db: DatabaseDep, settings: SettingsDep, elastic: Elastic = False
) -> NodeTokenMade:
    """Create a token for a node of this name. An earlier token of the node becomes invalid."""
    url = tokens.address(settings.nats_url.get_secret_value())
    if not url:
        raise NoNats("Nodes on other machines need NATS, and this service has none: set GRADUS_NATS_URL.")
    async with db.write() as session:
        token = await tokens.make(session, name, elastic=elastic)
        audit.record(session, actor, Action.NODE_TOKEN, name)
    return NodeTokenMade(name=name, token=token, command=f"gradus node --url {url} --token {token}")


@router.delete("/admin/node-tokens/{name}", responses=errors(*WRITE, NodeTokenNotFound))
async def revoke_node_token(name: Name, actor: Acting, db: DatabaseDep, settings: SettingsDep) -> NodeTokenList:
    """Revoke a node's token. If the node is connected, it is disconnected, and its jobs are judged on other nodes."""
    async with db.write() as session:
        if not await tokens.revoke(session, name):
            raise NodeTokenNotFound("No node of this name has a token; perhaps it was revoked already.")
        audit.record(session, actor, Action.REVOKE_NODE, name)
    return await _listed(db, settings)


async def _listed(db: Database, settings: Settings) -> NodeTokenList:
    async with db.read() as session:
        rows = await tokens.all_of(session)
    items = [
        NodeToken(name=row.name, created_at=row.created_at, joined_at=row.joined_at, elastic=row.elastic)
        for row in rows
    ]
    return NodeTokenList(url=tokens.address(settings.nats_url.get_secret_value()) or None, items=items)
