"""Adds drafts, challenges that were given up, hints that were seen, and shared answers.

Revision: 0005, applied after 0002.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "draft",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("slug", sa.String(length=100), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("previous", sa.Text(), nullable=True),
        sa.Column("previous_saved_at", sa.DateTime(timezone=True), nullable=True),
        _owner("draft"),
        sa.PrimaryKeyConstraint("account_id", "slug", name=op.f("pk_draft")),
    )
    op.create_table(
        "giving_up",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("slug", sa.String(length=100), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        _owner("giving_up"),
        sa.PrimaryKeyConstraint("account_id", "slug", name=op.f("pk_giving_up")),
    )
    op.create_table(
        "hints_seen",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("slug", sa.String(length=100), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        _owner("hints_seen"),
        sa.PrimaryKeyConstraint("account_id", "slug", name=op.f("pk_hints_seen")),
    )
    op.create_table(
        "shared_answer",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("submission_id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("slug", sa.String(length=100), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("shared_at", sa.DateTime(timezone=True), nullable=False),
        _owner("shared_answer"),
        sa.ForeignKeyConstraint(
            ["submission_id"],
            ["submission.id"],
            name=op.f("fk_shared_answer_submission_id_submission"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shared_answer")),
    )
    with op.batch_alter_table("shared_answer", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_shared_answer_submission_id"), ["submission_id"], unique=True)
        batch_op.create_index(batch_op.f("ix_shared_answer_account_id_slug"), ["account_id", "slug"], unique=False)
        batch_op.create_index(batch_op.f("ix_shared_answer_slug_id"), ["slug", "id"], unique=False)


def downgrade() -> None:
    for table in ("shared_answer", "hints_seen", "giving_up", "draft"):
        op.drop_table(table)


def _owner(table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_account_id_account")
    return sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=name, ondelete="CASCADE")
