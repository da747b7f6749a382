"""Adds three columns to node tokens: the node's device, when the node was last seen, and whether the node is elastic. The
service does not expect an elastic node to be connected all the time.

Revision: 0024, applied after 0023.
"""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # `device` needs no backfill, because each connected node reports its device within seconds.
    op.add_column("node_token", sa.Column("device", sa.String(16), nullable=True))
    op.add_column("node_token", sa.Column("seen_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("node_token", sa.Column("elastic", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute(sa.text("UPDATE node_token SET seen_at = joined_at"))
    with op.batch_alter_table("node_token") as table:
        table.alter_column("elastic", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("node_token") as table:
        for column in ("elastic", "seen_at", "device"):
            table.drop_column(column)
