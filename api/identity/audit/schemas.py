"""Responses of the audit log."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel

from api.identity.audit.service import Action


class AuditView(BaseModel):
    """One action of an admin. `actor_name` is null if the admin's account has been deleted."""

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
    """One page of actions, newest first; `next_cursor` is null on the last page."""

    items: list[AuditView]
    next_cursor: str | None
