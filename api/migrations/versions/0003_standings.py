"""Adds a table with the points of each account on the leaderboards (standings). The service fills the table at its next start,
because only the service knows how many points a challenge is worth.

Revision: 0003, applied after 0006.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "solve",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("slug", sa.String(length=100), nullable=False),
        sa.Column("submission_id", sa.String(length=32), nullable=False),
        sa.Column("section", sa.String(length=100), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("solved_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("shown", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_solve_account_id_account"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submission.id"], name=op.f("fk_solve_submission_id_submission"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", "slug", name=op.f("pk_solve")),
    )
    op.create_index(
        "ix_solve_board", "solve", ["slug", "shown", sa.text("points DESC"), "solved_at", "account_id"], unique=False
    )
    op.create_index(op.f("ix_solve_submission_id"), "solve", ["submission_id"], unique=True)
    op.create_table(
        "standing",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("section", sa.String(length=100), nullable=False),
        sa.Column("period", sa.String(length=8), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.Column("reached_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("shown", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_standing_account_id_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", "section", "period", name=op.f("pk_standing")),
    )
    op.create_index(
        "ix_standing_board",
        "standing",
        ["section", "period", "shown", sa.text("points DESC"), "reached_at", "account_id"],
        unique=False,
    )
    op.create_table(
        "listing",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_listing_account_id_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_listing")),
    )


def downgrade() -> None:
    op.drop_table("listing")
    op.drop_table("standing")
    op.drop_table("solve")
