"""Adds the tables of comments about challenges and of votes, and lets moderators hide shared answers.

Revision: 0029, applied after 0028.
"""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "comment",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("slug", sa.String(100), nullable=False),
        sa.Column("parent_id", sa.String(32), nullable=True),
        sa.Column("author_id", sa.String(32), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("idempotency_key", sa.String(200), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("edited_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("hidden_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["parent_id"], ["comment.id"], name="fk_comment_parent_id_comment", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["author_id"], ["account.id"], name="fk_comment_author_id_account", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_comment"),
    )
    for columns in (["slug", "parent_id", "id"], ["parent_id", "id"], ["author_id", "id"]):
        op.create_index(f"ix_comment_{'_'.join(columns)}", "comment", columns, unique=False)
    op.create_index("ix_comment_author_id_idempotency_key", "comment", ["author_id", "idempotency_key"], unique=True)
    _create_votes("comment_vote", "comment")
    _create_votes("shared_answer_vote", "shared_answer")
    op.add_column("shared_answer", sa.Column("hidden_at", sa.DateTime(timezone=True), nullable=True))


def _create_votes(name: str, target: str) -> None:
    op.create_table(
        name,
        sa.Column("account_id", sa.String(32), nullable=False),
        sa.Column("target_id", sa.String(32), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=f"fk_{name}_account_id_account", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["target_id"], [f"{target}.id"], name=f"fk_{name}_target_id_{target}", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", "target_id", name=f"pk_{name}"),
    )
    op.create_index(f"ix_{name}_target_id", name, ["target_id"], unique=False)


def downgrade() -> None:
    op.drop_column("shared_answer", "hidden_at")
    op.drop_table("shared_answer_vote")
    op.drop_table("comment_vote")
    op.drop_table("comment")
