"""Adds idempotency keys for signals, so that a resent signal counts once.

Revision: 0019, after 0017.
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0017"
branch_labels = None
depends_on = None

TABLE, INDEX = "participation_signal", "ix_participation_signal_participation_id_key"


def upgrade() -> None:
    """Apply."""
    op.add_column(TABLE, sa.Column("key", sa.String(32), nullable=True))
    op.create_index(op.f(INDEX), TABLE, ["participation_id", "key"], unique=True)


def downgrade() -> None:
    """Take back."""
    op.drop_index(op.f(INDEX), TABLE)
    op.drop_column(TABLE, "key")
