"""Adds a candidate's time limit, as a percentage of the time limit in the assessment's plan.

Revision: 0027, applied after 0026.
"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # The column has a server default, so the database adds it without rewriting any rows.
    op.add_column("invitation", sa.Column("time_percent", sa.Integer(), nullable=False, server_default=sa.text("100")))


def downgrade() -> None:
    op.drop_column("invitation", "time_percent")
