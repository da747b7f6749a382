"""Adds bans, the audit log, reports, drained nodes, and rejudges.

Revision: 0007, applied after 0005.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("account", schema=None) as batch_op:
        batch_op.add_column(sa.Column("ban", sa.String(length=300), nullable=True))
    with op.batch_alter_table("judging", schema=None) as batch_op:
        batch_op.create_index(
            "ix_judging_errors",
            ["id"],
            unique=False,
            sqlite_where=sa.text("verdict = 'JE'"),
            postgresql_where=sa.text("verdict = 'JE'"),
        )
    op.create_table(
        "audit_entry",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("actor_id", sa.String(length=32), nullable=False),
        sa.Column("actor_role", sa.String(length=16), nullable=False),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("object_kind", sa.String(length=16), nullable=False),
        sa.Column("object_id", sa.String(length=100), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entry")),
    )
    for column in ("action", "actor_id", "object_id"):
        op.create_index(op.f(f"ix_audit_entry_{column}_id"), "audit_entry", [column, "id"], unique=False)
    op.create_table(
        "node_drain",
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_node_drain")),
    )
    _reports()
    _rejudges()


def _reports() -> None:
    op.create_table(
        "report",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("about", sa.String(length=16), nullable=False),
        sa.Column("target", sa.String(length=201), nullable=False),
        sa.Column("title", sa.String(length=120), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("tests", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("submission_id", sa.String(length=32), nullable=True),
        sa.Column("open_key", sa.String(length=64), nullable=True),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("reply", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_report_account_id_account"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submission.id"], name=op.f("fk_report_submission_id_submission"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report")),
    )
    op.create_index(op.f("ix_report_account_id_id"), "report", ["account_id", "id"], unique=False)
    op.create_index(op.f("ix_report_account_id_open_key"), "report", ["account_id", "open_key"], unique=True)
    op.create_index(op.f("ix_report_state_id"), "report", ["state", "id"], unique=False)


def _rejudges() -> None:
    op.create_table(
        "rejudge",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("slug", sa.String(length=100), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rejudge")),
    )
    op.create_index(
        "uq_rejudge_open",
        "rejudge",
        ["slug"],
        unique=True,
        sqlite_where=sa.text("state = 'open'"),
        postgresql_where=sa.text("state = 'open'"),
    )
    op.create_table(
        "rejudge_item",
        sa.Column("rejudge_id", sa.String(length=32), nullable=False),
        sa.Column("submission_id", sa.String(length=32), nullable=False),
        sa.Column("before", sa.String(length=4), nullable=False),
        sa.Column("before_score", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["rejudge_id"], ["rejudge.id"], name=op.f("fk_rejudge_item_rejudge_id_rejudge"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["submission_id"],
            ["submission.id"],
            name=op.f("fk_rejudge_item_submission_id_submission"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("rejudge_id", "submission_id", name=op.f("pk_rejudge_item")),
    )
    op.create_index(op.f("ix_rejudge_item_rejudge_id_number"), "rejudge_item", ["rejudge_id", "number"], unique=False)
    op.create_index(op.f("ix_rejudge_item_submission_id"), "rejudge_item", ["submission_id"], unique=False)


def downgrade() -> None:
    for table in ("rejudge_item", "rejudge", "report", "node_drain", "audit_entry"):
        op.drop_table(table)
    with op.batch_alter_table("judging", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_judging_errors",
            sqlite_where=sa.text("verdict = 'JE'"),
            postgresql_where=sa.text("verdict = 'JE'"),
        )
    # The column is dropped without Alembic's batch mode; the downgrade of revision 0006 explains why.
    op.drop_column("account", "ban")
