"""Table audit_entry: the actions of admins. It contains ids without foreign keys, because entries outlive the accounts that
they refer to.
"""

from datetime import datetime

from sqlalchemy import Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import Moment, Table


class AuditEntry(Table):
    """An action: which admin did what to which object, and from which network address. `detail` is JSON without secrets."""

    __tablename__ = "audit_entry"
    __table_args__ = (Index(None, "action", "id"), Index(None, "actor_id", "id"), Index(None, "object_id", "id"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    actor_id: Mapped[str] = mapped_column(String(32))
    actor_role: Mapped[str] = mapped_column(String(16))
    action: Mapped[str] = mapped_column(String(40))
    object_kind: Mapped[str] = mapped_column(String(16))
    object_id: Mapped[str] = mapped_column(String(100))
    address: Mapped[str] = mapped_column(String(64))
    detail: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(Moment)
