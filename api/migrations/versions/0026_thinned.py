"""Adds the column `thinned` to judgings: whether the judgement's output and exhibits (pictures that tests drew) were removed.
Also adds an index to find the judgements that still have them.

Revision: 0026, applied after 0025.
"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None
IS_WHOLE = sa.text("judgement IS NOT NULL AND NOT thinned")


def upgrade() -> None:
    # The column has a server default, so the database adds it without rewriting the rows of this large table.
    op.add_column("judging", sa.Column("thinned", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index("ix_judging_whole", "judging", ["ended_at"], sqlite_where=IS_WHOLE, postgresql_where=IS_WHOLE)


def downgrade() -> None:
    """Delete the judgements whose output and exhibits were removed, because older code cannot read them. To get these
    judgements back, a backup from before this migration is needed.
    """
    op.drop_index("ix_judging_whole", "judging")
    op.execute(sa.text("UPDATE judging SET judgement = NULL WHERE thinned"))
    op.drop_column("judging", "thinned")
