"""Adds a table for secrets that the site creates itself, such as the one from which the seeds of judgings are computed.

Revision: 0023, applied after 0022.
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "site_secret",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("value", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_site_secret")),
    )


def downgrade() -> None:
    op.drop_table("site_secret")
