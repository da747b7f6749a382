"""Adds candidates' conversations with the assistant, and what they say about assistants of their own.

Revision: 0033, applied after 0031.
"""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0031"
branch_labels = None
depends_on = None


def _of_participation(table: str) -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_participation_id_participation"
    return sa.ForeignKeyConstraint(["participation_id"], ["participation.id"], name=name, ondelete="CASCADE")


def upgrade() -> None:
    op.create_table(
        "assistant_message",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("participation_id", sa.String(32), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("reply", sa.Text(), nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("failure", sa.String(16), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("model", sa.String(120), nullable=False),
        _of_participation("assistant_message"),
        sa.PrimaryKeyConstraint("id", name="pk_assistant_message"),
    )
    op.create_index("ix_assistant_message_participation_id_id", "assistant_message", ["participation_id", "id"])
    op.create_table(
        "assistant_declaration",
        sa.Column("participation_id", sa.String(32), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=False),
        _of_participation("assistant_declaration"),
        sa.PrimaryKeyConstraint("participation_id", name="pk_assistant_declaration"),
    )


def downgrade() -> None:
    op.drop_table("assistant_declaration")
    op.drop_table("assistant_message")
