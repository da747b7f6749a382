"""Adds teams and their assessments.

Revision: 0010, applied after 0003.
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "team",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_team")),
    )
    op.create_table(
        "team_member",
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("role", sa.String(length=8), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_team_member_account_id_account"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"], name=op.f("fk_team_member_team_id_team"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("team_id", "account_id", name=op.f("pk_team_member")),
    )
    op.create_index(op.f("ix_team_member_account_id"), "team_member", ["account_id"], unique=False)
    _invitations()
    _assessments()


def _invitations() -> None:
    table = "team_invitation"
    op.create_table(
        table,
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("role", sa.String(length=8), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("letter_hash", sa.String(length=64), nullable=True),
        sa.Column("invited_by", sa.String(length=32), nullable=True),
        sa.Column("accepted_by", sa.String(length=32), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("accepted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"], name=op.f(f"fk_{table}_team_id_team"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["invited_by"], ["account.id"], name=op.f(f"fk_{table}_invited_by_account"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["accepted_by"], ["account.id"], name=op.f(f"fk_{table}_accepted_by_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
        sa.UniqueConstraint("token_hash", name=op.f(f"uq_{table}_token_hash")),
        sa.UniqueConstraint("letter_hash", name=op.f(f"uq_{table}_letter_hash")),
    )
    for columns in (["team_id", "id"], ["email"], ["expires_at"], ["invited_by"], ["accepted_by"]):
        op.create_index(op.f(f"ix_{table}_{'_'.join(columns)}"), table, columns, unique=False)


def _assessments() -> None:
    op.create_table(
        "assessment",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("created_by", sa.String(length=32), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"], name=op.f("fk_assessment_team_id_team"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["created_by"], ["account.id"], name=op.f("fk_assessment_created_by_account"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assessment")),
    )
    op.create_index(op.f("ix_assessment_team_id_id"), "assessment", ["team_id", "id"], unique=False)
    op.create_index(op.f("ix_assessment_created_by"), "assessment", ["created_by"], unique=False)
    op.create_table(
        "assessment_version",
        sa.Column("assessment_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.Column("digests", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("frozen_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["assessment_id"],
            ["assessment.id"],
            name=op.f("fk_assessment_version_assessment_id_assessment"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("assessment_id", "number", name=op.f("pk_assessment_version")),
    )


def downgrade() -> None:
    for table in ("assessment_version", "assessment", "team_invitation", "team_member", "team"):
        op.drop_table(table)
