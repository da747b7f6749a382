"""Orders the index of the queue by device: claims and the place of a submission are about one device, and the length of the queue
is counted by device.

Revision: 0040, applied after 0039.
"""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None

IS_QUEUED = sa.text("status = 'queued'")


def upgrade() -> None:
    # Only queued judgings are in the index, so it is built within milliseconds.
    replace("device", "rank_at", "id")


def downgrade() -> None:
    replace("rank_at", "id")


def replace(*columns: str) -> None:
    op.drop_index("ix_judging_queue", "judging")
    op.create_index("ix_judging_queue", "judging", columns, sqlite_where=IS_QUEUED, postgresql_where=IS_QUEUED)
