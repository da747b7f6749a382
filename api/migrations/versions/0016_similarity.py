"""Adds the comparison of an assessment's answers: when it was made, and the pairs of answers that share passages.

Revision: 0016, applied after 0013.
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "similarity_check",
        sa.Column("assessment_id", sa.String(length=32), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        _belongs("similarity_check", "assessment_id", "assessment", "id"),
        sa.PrimaryKeyConstraint("assessment_id", name=op.f("pk_similarity_check")),
    )
    table = "similarity_pair"
    op.create_table(
        table,
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("assessment_id", sa.String(length=32), nullable=False),
        sa.Column("slug", sa.String(length=100), nullable=False),
        sa.Column("left_id", sa.String(length=32), nullable=False),
        sa.Column("right_id", sa.String(length=32), nullable=True),
        sa.Column("reference", sa.String(length=100), nullable=False),
        sa.Column("left_share", sa.Float(), nullable=False),
        sa.Column("right_share", sa.Float(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("passages", sa.Text(), nullable=False),
        _belongs(table, "assessment_id", "similarity_check", "assessment_id"),
        _belongs(table, "left_id", "submission", "id"),
        _belongs(table, "right_id", "submission", "id"),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
    )
    for columns in (["assessment_id", "id"], ["left_id"], ["right_id"]):
        op.create_index(op.f(f"ix_{table}_{'_'.join(columns)}"), table, columns, unique=False)


def _belongs(table: str, column: str, owner: str, key: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}_{owner}")
    return sa.ForeignKeyConstraint([column], [f"{owner}.{key}"], name=name, ondelete="CASCADE")


def downgrade() -> None:
    op.drop_table("similarity_pair")
    op.drop_table("similarity_check")
