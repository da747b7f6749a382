"""What the log looks like over HTTP."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel

from api.audit.service import Action


class AuditView(BaseModel):
    """One deed. `actor_name` is null once that account is deleted."""

    id: str
    actor_id: str
    actor_name: str | None
    actor_role: str
    action: Action
    object_kind: str
    object_id: str
    address: str
    detail: dict[str, Any]
    created_at: datetime


class AuditPage(BaseModel):
    """One page of deeds, newest first; `next_cursor` is null on the last page."""

    items: list[AuditView]
    next_cursor: str | None
