"""Adds idempotency keys for the signals of participations, such as pastes, so that a signal that is sent again counts once.

Revision: 0019, applied after 0017.
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0017"
branch_labels = None
depends_on = None

TABLE, INDEX = "participation_signal", "ix_participation_signal_participation_id_key"


def upgrade() -> None:
    op.add_column(TABLE, sa.Column("key", sa.String(32), nullable=True))
    op.create_index(op.f(INDEX), TABLE, ["participation_id", "key"], unique=True)


def downgrade() -> None:
    op.drop_index(op.f(INDEX), TABLE)
    op.drop_column(TABLE, "key")
