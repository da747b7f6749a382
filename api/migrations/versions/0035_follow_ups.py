"""Adds follow-ups: items of a participation that open when the item before them is handed in. Teams can share the points and
times of their candidates.

Revision: 0035, applied after 0034.
"""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # The columns have server defaults or are nullable, so the database adds them without rewriting any rows.
    op.add_column(
        "participation_item", sa.Column("is_follow_up", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column("participation_item", sa.Column("handed_in_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("team", sa.Column("shares_results", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("team", "shares_results")
    op.drop_column("participation_item", "handed_in_at")
    op.drop_column("participation_item", "is_follow_up")
