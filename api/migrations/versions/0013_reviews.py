"""Adds reviews of participations: notes, rubrics and their scores, manual points, and decisions.

Revision: 0013, applied after 0015.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _table(
        "review_note",
        _of("participation_id"),
        _by("author_id"),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("edited_at", sa.DateTime(timezone=True), nullable=True),
        indexes=[["participation_id", "id"], ["author_id"]],
    )
    _table(
        "rubric_criterion",
        _of("assessment_id"),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(length=120), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("levels", sa.Integer(), nullable=False),
        sa.Column("retired_at", sa.DateTime(timezone=True), nullable=True),
        indexes=[["assessment_id", "position"]],
    )
    _table(
        "rubric_score",
        _of("participation_id"),
        _of("criterion_id"),
        _by("reviewer_id"),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("levels", sa.Integer(), nullable=False),
        sa.Column("given_at", sa.DateTime(timezone=True), nullable=False),
        indexes=[["criterion_id"], ["reviewer_id"]],
    )
    own = ["participation_id", "criterion_id", "reviewer_id"]
    op.create_index(op.f(f"ix_rubric_score_{'_'.join(own)}"), "rubric_score", own, unique=True)
    _table(
        "manual_points",
        _of("participation_id"),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("mode", sa.String(length=4), nullable=False),
        sa.Column("points", sa.Float(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        _by("reviewer_id"),
        sa.Column("given_at", sa.DateTime(timezone=True), nullable=False),
        indexes=[["participation_id", "position", "id"], ["reviewer_id"]],
    )
    _table(
        "decision",
        _of("participation_id"),
        sa.Column("decision", sa.String(length=8), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        _by("decided_by"),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=False),
        indexes=[["participation_id", "id"], ["decided_by"]],
    )


OWNERS = {"participation_id": "participation", "assessment_id": "assessment", "criterion_id": "rubric_criterion"}


def _of(column: str) -> sa.Column[Any]:
    return sa.Column(column, sa.String(length=32), nullable=False)


def _by(column: str) -> sa.Column[Any]:
    return sa.Column(column, sa.String(length=32), nullable=True)


def _table(table: str, *columns: sa.Column[Any], indexes: list[list[str]]) -> None:
    owned = [column.name for column in columns if column.name in OWNERS]
    by = [column.name for column in columns if column.name in ("author_id", "reviewer_id", "decided_by")]
    op.create_table(
        table,
        sa.Column("id", sa.String(length=32), nullable=False),
        *columns,
        *(_belongs(table, column, OWNERS[column], "CASCADE") for column in owned),
        *(_belongs(table, column, "account", "SET NULL") for column in by),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
    )
    for names in indexes:
        op.create_index(op.f(f"ix_{table}_{'_'.join(names)}"), table, names, unique=False)


def _belongs(table: str, column: str, owner: str, when_deleted: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}_{owner}")
    return sa.ForeignKeyConstraint([column], [f"{owner}.id"], name=name, ondelete=when_deleted)


def downgrade() -> None:
    for table in ("decision", "manual_points", "rubric_score", "rubric_criterion", "review_note"):
        op.drop_table(table)
