"""Adds whether the output and the exhibits (pictures that tests drew) of a judgement were removed, and an index to find the
judgements that still have them.

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
    # Because of the server default, adding the column does not rewrite the rows of this large table.
    op.add_column("judging", sa.Column("thinned", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index("ix_judging_whole", "judging", ["ended_at"], sqlite_where=IS_WHOLE, postgresql_where=IS_WHOLE)


def downgrade() -> None:
    """Delete the judgements whose output and exhibits were removed, because older code cannot read them. Only a backup from
    before this migration still has them.
    """
    op.drop_index("ix_judging_whole", "judging")
    op.execute(sa.text("UPDATE judging SET judgement = NULL WHERE thinned"))
    op.drop_column("judging", "thinned")
