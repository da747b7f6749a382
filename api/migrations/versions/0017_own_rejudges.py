"""Adds rejudges of teams' own challenges.

Revision: 0017, applied after 0018.
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0018"
branch_labels = None
depends_on = None

OWN, OUTCOME = "own_rejudge", "rejudge_outcome"


def upgrade() -> None:
    op.create_table(
        OWN,
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("team_id", sa.String(length=32), nullable=False),
        sa.Column("challenge_id", sa.String(length=32), nullable=True),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("undecided", sa.Boolean(), nullable=False),
        sa.Column("started_by", sa.String(length=32), nullable=True),
        sa.Column("ended_by", sa.String(length=32), nullable=True),
        _belongs(OWN, "id", "rejudge"),
        _belongs(OWN, "team_id", "team"),
        _belongs(OWN, "challenge_id", "own_challenge", "SET NULL"),
        _belongs(OWN, "started_by", "account", "SET NULL"),
        _belongs(OWN, "ended_by", "account", "SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{OWN}")),
    )
    only = sa.text("undecided")
    op.create_index(
        "uq_own_rejudge_undecided", OWN, ["challenge_id"], unique=True, sqlite_where=only, postgresql_where=only
    )
    for columns in (["team_id", "id"], ["challenge_id", "id"], ["started_by"], ["ended_by"]):
        op.create_index(op.f(f"ix_{OWN}_{'_'.join(columns)}"), OWN, columns, unique=False)
    op.create_table(
        OUTCOME,
        sa.Column("rejudge_id", sa.String(length=32), nullable=False),
        sa.Column("participation_id", sa.String(length=32), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("verdict_before", sa.String(length=4), nullable=True),
        sa.Column("verdict_after", sa.String(length=4), nullable=True),
        *(
            sa.Column(f"{what}_{when}", sa.Float(), nullable=False)
            for what in ("score", "total")
            for when in ("before", "after")
        ),
        _belongs(OUTCOME, "rejudge_id", OWN),
        _belongs(OUTCOME, "participation_id", "participation"),
        sa.PrimaryKeyConstraint("rejudge_id", "participation_id", "position", name=op.f(f"pk_{OUTCOME}")),
    )
    op.create_index(op.f(f"ix_{OUTCOME}_participation_id"), OUTCOME, ["participation_id"], unique=False)


def _belongs(table: str, column: str, owner: str, ending: str = "CASCADE") -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}_{owner}")
    return sa.ForeignKeyConstraint([column], [f"{owner}.id"], name=name, ondelete=ending)


def downgrade() -> None:
    op.drop_table(OUTCOME)
    op.execute("DELETE FROM rejudge WHERE id IN (SELECT id FROM own_rejudge)")
    op.drop_table(OWN)
