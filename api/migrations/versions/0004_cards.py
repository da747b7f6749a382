"""Adds revision cards and mock interviews.

Revision: 0004, applied after 0007.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _cards()
    _interviews()


def downgrade() -> None:
    for table in ("interview_item", "interview", "card_setting", "card_review", "card_state"):
        op.drop_table(table)


def _cards() -> None:
    op.create_table(
        "card_state",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("card", sa.String(length=240), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("suspended", sa.Boolean(), nullable=False),
        sa.Column("state", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=True),
        sa.Column("stability", sa.Double(), nullable=True),
        sa.Column("difficulty", sa.Double(), nullable=True),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_review", sa.DateTime(timezone=True), nullable=True),
        sa.Column("learnt_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        _of_account("card_state"),
        sa.PrimaryKeyConstraint("account_id", "card", name=op.f("pk_card_state")),
    )
    op.create_table(
        "card_review",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("card", sa.String(length=240), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("reviewed_at", sa.DateTime(timezone=True), nullable=False),
        _of_account("card_review"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_card_review")),
    )
    op.create_index(op.f("ix_card_review_account_id_id"), "card_review", ["account_id", "id"])
    op.create_index(op.f("ix_card_review_account_id_card_id"), "card_review", ["account_id", "card", "id"])
    op.create_table(
        "card_setting",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("new_per_day", sa.Integer(), nullable=False),
        _of_account("card_setting"),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_card_setting")),
    )


def _interviews() -> None:
    op.create_table(
        "interview",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("level", sa.String(length=8), nullable=False),
        sa.Column("minutes", sa.Integer(), nullable=False),
        sa.Column("sections", sa.Text(), nullable=False),
        sa.Column("track", sa.String(length=100), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deadline", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        _of_account("interview"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_interview")),
    )
    op.create_index(op.f("ix_interview_account_id_id"), "interview", ["account_id", "id"])
    op.create_table(
        "interview_item",
        sa.Column("interview_id", sa.String(length=32), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("topic", sa.String(length=100), nullable=False),
        sa.Column("attempt_id", sa.String(length=32), nullable=True),
        sa.Column("minutes", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["interview_id"],
            ["interview.id"],
            name=op.f("fk_interview_item_interview_id_interview"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["attempt_id"],
            ["quiz_attempt.id"],
            name=op.f("fk_interview_item_attempt_id_quiz_attempt"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("interview_id", "position", name=op.f("pk_interview_item")),
    )


def _of_account(table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_account_id_account")
    return sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=name, ondelete="CASCADE")
