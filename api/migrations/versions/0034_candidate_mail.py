"""Adds what a team adds to the emails to its candidates: a message, a reply address and a logo.

Revision: 0034, applied after 0033.
"""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "candidate_mail",
        sa.Column("team_id", sa.String(32), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("reply_to", sa.String(32), nullable=True),
        sa.Column("logo", sa.LargeBinary(), nullable=True),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["team_id"], ["team.id"], name="fk_candidate_mail_team_id_team", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["reply_to"], ["account.id"], name="fk_candidate_mail_reply_to_account", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("team_id", name="pk_candidate_mail"),
    )
    op.create_index("ix_candidate_mail_reply_to", "candidate_mail", ["reply_to"])


def downgrade() -> None:
    op.drop_table("candidate_mail")
