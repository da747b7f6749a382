"""Creates the first tables: accounts, their sessions and API tokens, submissions, and judgings.

Revision: 0001, the first one.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("password_hash", sa.String(length=200), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("email", name=op.f("uq_account_email")),
    )
    op.create_table(
        "account_session",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("agent", sa.String(length=200), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_account_session_account_id_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account_session")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_account_session_token_hash")),
    )
    with op.batch_alter_table("account_session", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_account_session_account_id"), ["account_id"], unique=False)

    op.create_table(
        "api_token",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("hint", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_api_token_account_id_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_token")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_api_token_token_hash")),
    )
    with op.batch_alter_table("api_token", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_api_token_account_id"), ["account_id"], unique=False)

    op.create_table(
        "submission",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("slug", sa.String(length=100), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("device", sa.String(length=16), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("idempotency_key", sa.String(length=200), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_submission_account_id_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission")),
    )
    with op.batch_alter_table("submission", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_submission_account_id_id"), ["account_id", "id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_submission_account_id_idempotency_key"), ["account_id", "idempotency_key"], unique=True
        )
        batch_op.create_index(
            batch_op.f("ix_submission_account_id_slug_id"), ["account_id", "slug", "id"], unique=False
        )

    op.create_table(
        "judging",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("submission_id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("superseded", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("slug", sa.String(length=100), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("device", sa.String(length=16), nullable=False),
        sa.Column("short", sa.Boolean(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=True),
        sa.Column("rank_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("not_before", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(length=48), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("node", sa.String(length=100), nullable=True),
        sa.Column("lane", sa.String(length=8), nullable=True),
        sa.Column("avoid_node", sa.String(length=100), nullable=True),
        sa.Column("infra_faults", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.String(length=4), nullable=True),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("max_score", sa.Integer(), nullable=False),
        sa.Column("cpu_s", sa.Double(), nullable=True),
        sa.Column("memory_mb", sa.Double(), nullable=True),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("judgement", sa.Text(), nullable=True),
        sa.Column("queued_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_judging_account_id_account"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submission.id"], name=op.f("fk_judging_submission_id_submission"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judging")),
        sa.UniqueConstraint("token", name=op.f("uq_judging_token")),
    )
    with op.batch_alter_table("judging", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_judging_account_id"), ["account_id"], unique=False)
        batch_op.create_index(
            "ix_judging_leases",
            ["lease_until"],
            unique=False,
            sqlite_where=sa.text("status = 'judging'"),
            postgresql_where=sa.text("status = 'judging'"),
        )
        batch_op.create_index(
            "ix_judging_load",
            ["account_id", "rank_at"],
            unique=False,
            sqlite_where=sa.text("status IN ('queued', 'judging')"),
            postgresql_where=sa.text("status IN ('queued', 'judging')"),
        )
        batch_op.create_index(
            "ix_judging_queue",
            ["rank_at", "id"],
            unique=False,
            sqlite_where=sa.text("status = 'queued'"),
            postgresql_where=sa.text("status = 'queued'"),
        )
        batch_op.create_index(batch_op.f("ix_judging_submission_id_number"), ["submission_id", "number"], unique=True)
        batch_op.create_index(
            "uq_judging_current",
            ["submission_id"],
            unique=True,
            sqlite_where=sa.text("NOT superseded"),
            postgresql_where=sa.text("NOT superseded"),
        )

    op.create_table(
        "submission_source",
        sa.Column("submission_id", sa.String(length=32), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("snippet", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["submission_id"],
            ["submission.id"],
            name=op.f("fk_submission_source_submission_id_submission"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("submission_id", name=op.f("pk_submission_source")),
    )


def downgrade() -> None:
    op.drop_table("submission_source")
    with op.batch_alter_table("judging", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_judging_current", sqlite_where=sa.text("NOT superseded"), postgresql_where=sa.text("NOT superseded")
        )
        batch_op.drop_index(batch_op.f("ix_judging_submission_id_number"))
        batch_op.drop_index(
            "ix_judging_queue", sqlite_where=sa.text("status = 'queued'"), postgresql_where=sa.text("status = 'queued'")
        )
        batch_op.drop_index(
            "ix_judging_load",
            sqlite_where=sa.text("status IN ('queued', 'judging')"),
            postgresql_where=sa.text("status IN ('queued', 'judging')"),
        )
        batch_op.drop_index(
            "ix_judging_leases",
            sqlite_where=sa.text("status = 'judging'"),
            postgresql_where=sa.text("status = 'judging'"),
        )
        batch_op.drop_index(batch_op.f("ix_judging_account_id"))

    op.drop_table("judging")
    with op.batch_alter_table("submission", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_submission_account_id_slug_id"))
        batch_op.drop_index(batch_op.f("ix_submission_account_id_idempotency_key"))
        batch_op.drop_index(batch_op.f("ix_submission_account_id_id"))

    op.drop_table("submission")
    with op.batch_alter_table("api_token", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_api_token_account_id"))

    op.drop_table("api_token")
    with op.batch_alter_table("account_session", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_account_session_account_id"))

    op.drop_table("account_session")
    op.drop_table("account")
