"""Adds invitations to assessments.

Revision: 0011, applied after 0010.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

IS_OPEN = sa.text("email <> '' AND revoked_at IS NULL")


def upgrade() -> None:
    table = "invitation"
    op.create_table(
        table,
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("assessment_id", sa.String(length=32), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("letter_hash", sa.String(length=64), nullable=True),
        sa.Column("reminder_hash", sa.String(length=64), nullable=True),
        sa.Column("extra_minutes", sa.Integer(), nullable=False),
        sa.Column("created_by", sa.String(length=32), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reminded_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["assessment_id"], ["assessment.id"], name=op.f(f"fk_{table}_assessment_id_assessment"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["created_by"], ["account.id"], name=op.f(f"fk_{table}_created_by_account"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
        sa.UniqueConstraint("token_hash", name=op.f(f"uq_{table}_token_hash")),
        sa.UniqueConstraint("letter_hash", name=op.f(f"uq_{table}_letter_hash")),
        sa.UniqueConstraint("reminder_hash", name=op.f(f"uq_{table}_reminder_hash")),
    )
    for columns in (["assessment_id", "id"], ["email"], ["expires_at"], ["created_by"]):
        op.create_index(op.f(f"ix_{table}_{'_'.join(columns)}"), table, columns, unique=False)
    op.create_index(
        "uq_invitation_email",
        table,
        ["assessment_id", "email"],
        unique=True,
        sqlite_where=IS_OPEN,
        postgresql_where=IS_OPEN,
    )


def downgrade() -> None:
    op.drop_table("invitation")
