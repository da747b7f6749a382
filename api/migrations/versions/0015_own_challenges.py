"""Adds teams' own challenges.

Revision: 0015, applied after 0014.
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

IS_ASKED = sa.text("gate IN ('waiting', 'running')")


def upgrade() -> None:
    op.create_table(
        "own_challenge",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("slug", sa.String(length=80), nullable=False),
        sa.Column("title", sa.String(length=120), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("created_by", sa.String(length=32), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("published", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["team_id"], ["team.id"], name=op.f("fk_own_challenge_team_id_team"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["created_by"], ["account.id"], name=op.f("fk_own_challenge_created_by_account"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_own_challenge")),
    )
    op.create_index(op.f("ix_own_challenge_team_id_slug"), "own_challenge", ["team_id", "slug"], unique=True)
    op.create_index(op.f("ix_own_challenge_team_id_id"), "own_challenge", ["team_id", "id"], unique=False)
    op.create_index(op.f("ix_own_challenge_created_by"), "own_challenge", ["created_by"], unique=False)
    op.create_table(
        "own_version",
        sa.Column("challenge_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("files", sa.Text(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("gate", sa.String(length=16), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("token", sa.String(length=48), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("judgings", sa.Integer(), nullable=False),
        sa.Column("report", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["challenge_id"],
            ["own_challenge.id"],
            name=op.f("fk_own_version_challenge_id_own_challenge"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("challenge_id", "number", name=op.f("pk_own_version")),
    )
    op.create_index(
        "ix_own_version_asked", "own_version", ["asked_at"], sqlite_where=IS_ASKED, postgresql_where=IS_ASKED
    )
    op.create_index(op.f("ix_own_version_digest"), "own_version", ["digest"], unique=False)


def downgrade() -> None:
    op.drop_table("own_version")
    op.drop_table("own_challenge")
