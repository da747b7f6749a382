"""Adds the tables of bookmarks and of private notes about challenges.

Revision: 0028, applied after 0027.
"""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create("bookmark", sa.Column("created_at", sa.DateTime(timezone=True), nullable=False))
    _create(
        "challenge_note",
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
    )


def _create(name: str, *columns: "sa.Column[object]") -> None:
    op.create_table(
        name,
        sa.Column("account_id", sa.String(32), nullable=False),
        sa.Column("slug", sa.String(100), nullable=False),
        *columns,
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=f"fk_{name}_account_id_account", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", "slug", name=f"pk_{name}"),
    )


def downgrade() -> None:
    op.drop_table("challenge_note")
    op.drop_table("bookmark")
