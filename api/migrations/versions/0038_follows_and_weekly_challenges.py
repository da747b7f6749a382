"""Adds whom accounts follow, the challenges of the week, and which members of a team appear on its board.

Revision: 0038, applied after 0036.
"""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "follow",
        sa.Column("account_id", sa.String(32), nullable=False),
        sa.Column("followed_id", sa.String(32), nullable=False),
        sa.Column("followed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name="fk_follow_account_id_account", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["followed_id"], ["account.id"], name="fk_follow_followed_id_account", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", "followed_id", name="pk_follow"),
    )
    op.create_index("ix_follow_followed_id", "follow", ["followed_id"], unique=False)
    op.create_table(
        "weekly_challenge",
        sa.Column("week", sa.String(8), nullable=False),
        sa.Column("kind", sa.String(11), nullable=False),
        sa.Column("slug", sa.String(100), nullable=False),
        sa.PrimaryKeyConstraint("week", "kind", name="pk_weekly_challenge"),
    )
    # The column has a server default, so the database adds it without rewriting any rows.
    op.add_column("team_member", sa.Column("on_board", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("team_member", "on_board")
    op.drop_table("weekly_challenge")
    op.drop_table("follow")
