"""Adds the code with marked lines that a written answer is about.

Revision: 0036, applied after 0035.
"""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("participation_draft", sa.Column("marked", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("participation_draft", "marked")
