"""Adds participations in assessments.

Revision: 0012, applied after 0011.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

IS_RUNNING = sa.text("finished_at IS NULL")
PARTS = ("participation_item", "participation_draft", "participation_edit", "participation_signal")


def upgrade() -> None:
    _participation()
    _parts()
    op.create_table(
        "outage",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("assessment_id", sa.String(length=32), nullable=False),
        sa.Column("begins_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reported_by", sa.String(length=32), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        _belongs("outage", "assessment_id", "assessment"),
        _belongs("outage", "reported_by", "account", "SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outage")),
    )
    for columns in (["assessment_id", "begins_at"], ["reported_by"]):
        op.create_index(op.f(f"ix_outage_{'_'.join(columns)}"), "outage", columns, unique=False)


def _participation() -> None:
    table = "participation"
    op.create_table(
        table,
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("assessment_id", sa.String(length=32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("invitation_id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("extra_s", sa.Integer(), nullable=False),
        sa.Column("given_back_s", sa.Integer(), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_by", sa.String(length=16), nullable=True),
        sa.Column("device", sa.String(length=32), nullable=False),
        _belongs(table, "assessment_id", "assessment"),
        _belongs(table, "invitation_id", "invitation"),
        _belongs(table, "account_id", "account"),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
    )
    op.create_index(op.f(f"ix_{table}_invitation_id_number"), table, ["invitation_id", "number"], unique=True)
    op.create_index(op.f(f"ix_{table}_account_id"), table, ["account_id"], unique=True)
    op.create_index(op.f(f"ix_{table}_assessment_id_id"), table, ["assessment_id", "id"], unique=False)
    op.create_index(
        f"ix_{table}_running", table, ["id"], unique=False, sqlite_where=IS_RUNNING, postgresql_where=IS_RUNNING
    )


def _parts() -> None:
    _part(
        "participation_item",
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("section_key", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("attempt_id", sa.String(length=32), nullable=True),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=True),
        _belongs("participation_item", "attempt_id", "quiz_attempt", "SET NULL"),
        key=["participation_id", "position"],
    )
    op.create_index(op.f("ix_participation_item_attempt_id"), "participation_item", ["attempt_id"], unique=False)
    _part(
        "participation_draft",
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        key=["participation_id", "position"],
    )
    _part(
        "participation_edit",
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("events", sa.Text(), nullable=False),
        key=["participation_id", "position", "sequence"],
    )
    _part(
        "participation_signal",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("detail", sa.String(length=200), nullable=False),
        key=["id"],
    )
    name = op.f("ix_participation_signal_participation_id_id")
    op.create_index(name, "participation_signal", ["participation_id", "id"], unique=False)


def _part(table: str, *columns: Any, key: list[str]) -> None:
    op.create_table(
        table,
        sa.Column("participation_id", sa.String(length=32), nullable=False),
        *columns,
        _belongs(table, "participation_id", "participation"),
        sa.PrimaryKeyConstraint(*key, name=op.f(f"pk_{table}")),
    )


def _belongs(table: str, column: str, owner: str, when_deleted: str = "CASCADE") -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}_{owner}")
    return sa.ForeignKeyConstraint([column], [f"{owner}.id"], name=name, ondelete=when_deleted)


def downgrade() -> None:
    for table in ("outage", *reversed(PARTS), "participation"):
        op.drop_table(table)
