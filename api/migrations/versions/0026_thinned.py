"""Records whether a judgement's prints and exhibits were deleted, with an index by end time to find the rest.

Revision: 0026, after 0025.
"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None
IS_WHOLE = sa.text("judgement IS NOT NULL AND NOT thinned")


def upgrade() -> None:
    """Apply. With a default no row of a large table is rewritten."""
    op.add_column("judging", sa.Column("thinned", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index("ix_judging_whole", "judging", ["ended_at"], sqlite_where=IS_WHOLE, postgresql_where=IS_WHOLE)


def downgrade() -> None:
    """Take back. Older code cannot read packed data. To get it back, restore a backup from before this migration."""
    op.drop_index("ix_judging_whole", "judging")
    op.execute(sa.text("UPDATE judging SET judgement = NULL WHERE thinned"))
    op.drop_column("judging", "thinned")
