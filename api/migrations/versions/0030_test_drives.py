"""Adds test drives: participations with which members of a team try an assessment. They are not part of its results.

Revision: 0030, applied after 0029.
"""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # The columns have a server default, so the database adds them without rewriting any rows.
    for table in ("invitation", "participation"):
        op.add_column(table, sa.Column("is_test", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("assessment_version", sa.Column("tested_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("assessment_version", "tested_at")
    for table in ("participation", "invitation"):
        op.drop_column(table, "is_test")
