"""Adds a table that links a participation to accounts on the site that probably belong to the candidate. While the candidate
takes the assessment, the site withholds hints and verdicts for the assessment's challenges from these accounts.

Revision: 0025, applied after 0024.
"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

TABLE = "participation_beside"


def upgrade() -> None:
    op.create_table(
        TABLE,
        sa.Column("participation_id", sa.String(32), nullable=False),
        sa.Column("account_id", sa.String(32), nullable=False),
        _belongs("participation_id", "participation"),
        _belongs("account_id", "account"),
        sa.PrimaryKeyConstraint("participation_id", "account_id", name=op.f(f"pk_{TABLE}")),
    )
    op.create_index(op.f(f"ix_{TABLE}_account_id"), TABLE, ["account_id"])


def downgrade() -> None:
    op.drop_table(TABLE)


def _belongs(column: str, to: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{TABLE}_{column}_{to}")
    return sa.ForeignKeyConstraint([column], [f"{to}.id"], name=name, ondelete="CASCADE")
