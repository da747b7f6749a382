"""Adds candidates' conversations with the assistant, what they say about assistants of their own and about
assessments, links to reports, and rejudges that lower no score.

Revision: 0033, applied after 0031.
"""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
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
    op.create_table(
        "report_link",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("participation_id", sa.String(32), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("created_by", sa.String(32), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        _of_participation("report_link"),
        sa.ForeignKeyConstraint(
            ["created_by"], ["account.id"], name="fk_report_link_created_by_account", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_report_link"),
        sa.UniqueConstraint("token_hash", name="uq_report_link_token_hash"),
    )
    op.create_index("ix_report_link_participation_id_id", "report_link", ["participation_id", "id"])
    op.create_index("ix_report_link_created_by", "report_link", ["created_by"])
    op.create_table(
        "report_link_opening",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("link_id", sa.String(32), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("agent", sa.String(200), nullable=False),
        sa.ForeignKeyConstraint(
            ["link_id"], ["report_link.id"], name="fk_report_link_opening_link_id_report_link", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_report_link_opening"),
    )
    op.create_index("ix_report_link_opening_link_id_id", "report_link_opening", ["link_id", "id"])
    op.create_table(
        "candidate_feedback",
        sa.Column("participation_id", sa.String(32), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.Column("difficulty", sa.String(8), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=False),
        _of_participation("candidate_feedback"),
        sa.PrimaryKeyConstraint("participation_id", name="pk_candidate_feedback"),
    )
    # The column has a server default, so the database adds it without rewriting any rows.
    op.add_column("own_rejudge", sa.Column("never_lower", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("own_rejudge", "never_lower")
    for table in ("candidate_feedback", "report_link_opening", "report_link"):
        op.drop_table(table)
    op.drop_table("assistant_declaration")
    op.drop_table("assistant_message")
