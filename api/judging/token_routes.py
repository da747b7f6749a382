"""Tokens of nodes on other machines, for admins."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel

from api.accounts.identity import Admin
from api.audit import service as audit
from api.audit.service import Acting, Action
from api.errors import ApiError, CrossSite, Forbidden, NotSignedIn, errors
from api.judging import tokens
from api.state import State, StateOf
from grader import subjects

router = APIRouter(tags=["service"])
Name = Annotated[str, Path(pattern=f"^{subjects.NAME.pattern}$", description="Lower-case letters, digits, hyphens.")]


class NoNats(ApiError):
    """This service has no nats-server to join."""

    status, code = 409, "no_nats"


class NodeTokenNotFound(ApiError):
    """No node of this name has a token."""

    status, code = 404, "node_token_not_found"


class NodeToken(BaseModel):
    """Who may join. `joined_at`: when a node last did with this token."""

    name: str
    created_at: datetime
    joined_at: datetime | None


class NodeTokenList(BaseModel):
    """All tokens by the node's name; `url` is where nodes join, null while this service has no nats-server."""

    url: str | None
    items: list[NodeToken]


class NodeTokenMade(BaseModel):
    """A new token and what to run with it on the machine that joins; shown this once."""

    name: str
    token: str
    command: str


WRITE = (CrossSite, NotSignedIn, Forbidden)


@router.get("/admin/node-tokens", responses=errors(NotSignedIn, Forbidden))
async def list_node_tokens(_: Admin, state: StateOf) -> NodeTokenList:
    """Which nodes on other machines may join."""
    return await _listed(state)


@router.put("/admin/node-tokens/{name}", responses=errors(*WRITE, NoNats, tokens.TooManyNodeTokens))
async def make_node_token(name: Name, actor: Acting, state: StateOf) -> NodeTokenMade:
    """Make a token for a node of this name. One that it had before is worthless from now on."""
    url = tokens.address(state.settings.nats_url.get_secret_value())
    if not url:
        raise NoNats("Nodes on other machines need NATS, and this service has none: set GRADUS_NATS_URL.")
    async with state.db.write() as session:
        token = await tokens.make(session, name)
        audit.record(session, actor, Action.NODE_TOKEN, name)
    return NodeTokenMade(name=name, token=token, command=f"gradus node --url {url} --token {token}")


@router.delete("/admin/node-tokens/{name}", responses=errors(*WRITE, NodeTokenNotFound))
async def revoke_node_token(name: Name, actor: Acting, state: StateOf) -> NodeTokenList:
    """Make a node's token worthless. A node that is connected is cut off, and what it judges is judged elsewhere."""
    async with state.db.write() as session:
        if not await tokens.revoke(session, name):
            raise NodeTokenNotFound("No node of this name has a token; perhaps it was revoked already.")
        audit.record(session, actor, Action.REVOKE_NODE, name)
    return await _listed(state)


async def _listed(state: State) -> NodeTokenList:
    async with state.db.read() as session:
        rows = await tokens.all_of(session)
    items = [NodeToken(name=row.name, created_at=row.created_at, joined_at=row.joined_at) for row in rows]
    return NodeTokenList(url=tokens.address(state.settings.nats_url.get_secret_value()) or None, items=items)
