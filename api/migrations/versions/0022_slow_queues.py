"""Adds two columns to outages: who noticed the outage (a team member, or the service itself because its queue was slow), and
whether it still lasts.

Revision: 0022, applied after 0021.
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

OPEN = sa.text("is_open")


def upgrade() -> None:
    op.add_column("outage", sa.Column("source", sa.String(8), nullable=False, server_default="team"))
    op.add_column("outage", sa.Column("is_open", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index(
        op.f("ix_outage_open"), "outage", ["assessment_id"], unique=False, sqlite_where=OPEN, postgresql_where=OPEN
    )


def downgrade() -> None:
    op.drop_index(op.f("ix_outage_open"), "outage")
    op.drop_column("outage", "is_open")
    op.drop_column("outage", "source")
