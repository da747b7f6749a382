"""Adds webhooks, their deliveries, and team tokens.

Revision: 0014, applied after 0012.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0012"
branch_labels = None
depends_on = None

IS_QUEUED = sa.text("status = 'queued'")
IS_UNSETTLED = sa.text("unsettled")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    _events()
    _webhooks()
    _tracking()


def _events() -> None:
    _table(
        "team_event",
        _text("team_id", 32),
        _text("kind", 32),
        _text("assessment_id", 32),
        _text("invitation_id", 32),
        _text("participation_id", 32),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("unsettled", sa.Boolean(), nullable=False),
        *(_belongs("team_event", f"{name}_id", name) for name in ("team", "assessment", "invitation", "participation")),
    )
    for columns in (["team_id", "id"], ["assessment_id"], ["invitation_id"], ["participation_id"]):
        _index("team_event", columns)
    _partial("ix_team_event_unsettled", "team_event", "id", IS_UNSETTLED)


def _webhooks() -> None:
    _table(
        "webhook",
        _text("team_id", 32),
        _text("url", 500),
        _text("kinds", 300),
        _text("secret", 64),
        _text("former_secret", 64, nullable=True),
        sa.Column("rotated_at", MOMENT, nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("failing_since", MOMENT, nullable=True),
        sa.Column("off_at", MOMENT, nullable=True),
        _belongs("webhook", "team_id", "team"),
    )
    _index("webhook", ["team_id", "id"])
    _table(
        "webhook_delivery",
        _text("webhook_id", 32),
        _text("event_id", 32, nullable=True),
        _text("kind", 32),
        _text("status", 8),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("next_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.Column("code", sa.Integer(), nullable=True),
        sa.Column("took_ms", sa.Integer(), nullable=True),
        _text("error", 200),
        _text("answer", 500),
        _belongs("webhook_delivery", "webhook_id", "webhook"),
        _belongs("webhook_delivery", "event_id", "team_event"),
    )
    for columns in (["webhook_id", "id"], ["event_id"], ["ended_at"]):
        _index("webhook_delivery", columns)
    _partial("ix_webhook_delivery_due", "webhook_delivery", "next_at", IS_QUEUED)


def _tracking() -> None:
    _table(
        "team_token",
        _text("team_id", 32),
        _text("name", 80),
        _text("scopes", 100),
        _text("token_hash", 64),
        _text("hint", 16),
        _text("created_by", 32, nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("last_used_at", MOMENT, nullable=True),
        _belongs("team_token", "team_id", "team"),
        _belongs("team_token", "created_by", "account", "SET NULL"),
        sa.UniqueConstraint("token_hash", name=op.f("uq_team_token_token_hash")),
    )
    for columns in (["team_id", "id"], ["created_by"]):
        _index("team_token", columns)
    op.create_table(
        "invitation_reference",
        _text("invitation_id", 32),
        _text("team_id", 32),
        _text("reference", 100),
        _belongs("invitation_reference", "invitation_id", "invitation"),
        _belongs("invitation_reference", "team_id", "team"),
        sa.PrimaryKeyConstraint("invitation_id", name=op.f("pk_invitation_reference")),
    )
    name = op.f("ix_invitation_reference_team_id_reference")
    op.create_index(name, "invitation_reference", ["team_id", "reference"], unique=True)


def _table(name: str, *columns: Any) -> None:
    op.create_table(name, _text("id", 32), *columns, sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{name}")))


def _text(name: str, length: int, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(length=length), nullable=nullable)


def _index(table: str, columns: list[str]) -> None:
    op.create_index(op.f(f"ix_{table}_{'_'.join(columns)}"), table, columns, unique=False)


def _partial(name: str, table: str, column: str, where: Any) -> None:
    op.create_index(name, table, [column], unique=False, sqlite_where=where, postgresql_where=where)


def _belongs(table: str, column: str, owner: str, when_deleted: str = "CASCADE") -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}_{owner}")
    return sa.ForeignKeyConstraint([column], [f"{owner}.id"], name=name, ondelete=when_deleted)


def downgrade() -> None:
    for table in ("invitation_reference", "team_token", "webhook_delivery", "webhook", "team_event"):
        op.drop_table(table)
