"""The route of the audit log."""

import json
from typing import Annotated

from fastapi import APIRouter, Query

from api.identity.audit import service
from api.identity.audit.models import AuditEntry
from api.identity.audit.schemas import AuditPage, AuditView
from api.identity.audit.service import Action
from api.identity.sessions.current_account import Admin
from api.kit.errors import BadCursor, Forbidden, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.kit.text import CleanText

router = APIRouter(tags=["desk"])
Exactly = Annotated[str, Query(max_length=100), CleanText]


@router.get("/admin/audit", response_model=AuditPage, responses=errors(NotSignedIn, Forbidden, BadCursor))
async def list_audit(
    _: Admin,
    db: DatabaseDep,
    action: Action | None = None,
    actor: Exactly = "",
    thing: Exactly = "",
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> AuditPage:
    """List the actions of admins, newest first. `actor` is the id of an admin's account, and `thing` the id of an affected
    object: only their actions are listed. Both must be complete ids. If they are empty, all actions are listed.
    """
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with db.read() as session:
        rows = (await session.execute(service.listing(action, actor, thing, before).limit(limit + 1))).all()
    items = [_view(entry, name) for entry, name in rows[:limit]]
    return AuditPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


def _view(entry: AuditEntry, name: str | None) -> AuditView:
    return AuditView(
        id=entry.id,
        actor_id=entry.actor_id,
        actor_name=name,
        actor_role=entry.actor_role,
        action=Action(entry.action),
        object_kind=entry.object_kind,
        object_id=entry.object_id,
        address=entry.address,
        detail=json.loads(entry.detail),
        created_at=entry.created_at,
    )
