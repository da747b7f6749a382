"""Adds to each judging the OpenTelemetry trace that it belongs to.

Revision: 0020, applied after 0019.
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("judging", sa.Column("trace", sa.String(55), nullable=True))


def downgrade() -> None:
    op.drop_column("judging", "trace")
