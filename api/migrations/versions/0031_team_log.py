"""Adds the log of what the members of a team did.

Revision: 0031, applied after 0030.
"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "team_log",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("team_id", sa.String(32), nullable=False),
        sa.Column("actor_id", sa.String(32), nullable=True),
        sa.Column("action", sa.String(40), nullable=False),
        sa.Column("object_id", sa.String(32), nullable=False),
        sa.Column("title", sa.String(160), nullable=False),
        sa.Column("detail", sa.String(160), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"], name="fk_team_log_team_id_team", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["actor_id"], ["account.id"], name="fk_team_log_actor_id_account", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_team_log"),
    )
    op.create_index("ix_team_log_team_id_id", "team_log", ["team_id", "id"])
    op.create_index("ix_team_log_actor_id", "team_log", ["actor_id"])


def downgrade() -> None:
    op.drop_table("team_log")
