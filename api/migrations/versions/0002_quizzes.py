"""Adds attempts at quizzes, and their answers.

Revision: 0002, applied after 0001.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "quiz_attempt",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("topic", sa.String(length=100), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("max_points", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_quiz_attempt_account_id_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_quiz_attempt")),
    )
    with op.batch_alter_table("quiz_attempt", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_quiz_attempt_account_id_id"), ["account_id", "id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_quiz_attempt_account_id_topic_id"), ["account_id", "topic", "id"], unique=False
        )

    op.create_table(
        "quiz_answer",
        sa.Column("attempt_id", sa.String(length=32), nullable=False),
        sa.Column("question", sa.String(length=100), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("mark", sa.Text(), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["quiz_attempt.id"], name=op.f("fk_quiz_answer_attempt_id_quiz_attempt"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("attempt_id", "question", name=op.f("pk_quiz_answer")),
    )


def downgrade() -> None:
    op.drop_table("quiz_answer")
    op.drop_table("quiz_attempt")
