"""Adds to each decision how many answers had no final points when it was made.

Revision: 0039, applied after 0038.
"""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # The column has a server default, so the database adds it without rewriting any rows. For earlier decisions, the number is
    # unknown, and 0 says nothing about them.
    op.add_column("decision", sa.Column("answers_pending", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("decision", "answers_pending")
