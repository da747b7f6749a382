"""Adds the tokens of nodes on other machines.

Revision: 0018, applied after 0016.
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0016"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "node_token",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("public_key", sa.String(60), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("joined_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_node_token")),
        sa.UniqueConstraint("public_key", name=op.f("uq_node_token_public_key")),
    )


def downgrade() -> None:
    op.drop_table("node_token")
