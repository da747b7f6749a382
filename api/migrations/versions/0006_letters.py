"""Adds the outbox of emails (table `letter`), the one-time links in emails, and sign-in with identity providers.

Revision: 0006, applied after 0004.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("account", schema=None) as batch_op:
        batch_op.add_column(sa.Column("email_verified_at", sa.DateTime(timezone=True), nullable=True))

    op.create_table(
        "letter",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=True),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", sa.String(length=200), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_letter_account_id_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_letter")),
    )
    queued = sa.text("status = 'queued'")
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_letter_account_id"), ["account_id"], unique=False)
        batch_op.create_index("ix_letter_due", ["next_at"], unique=False, sqlite_where=queued, postgresql_where=queued)
        batch_op.create_index(batch_op.f("ix_letter_ended_at"), ["ended_at"], unique=False)

    op.create_table(
        "letter_link",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=True),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("purpose", sa.String(length=8), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_letter_link_account_id_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_letter_link")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_letter_link_token_hash")),
    )
    with op.batch_alter_table("letter_link", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_letter_link_account_id"), ["account_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_letter_link_expires_at"), ["expires_at"], unique=False)

    op.create_table(
        "provider_link",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("issuer", sa.String(length=255), nullable=False),
        sa.Column("subject", sa.String(length=255), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_provider_link_account_id_account"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_provider_link")),
    )
    with op.batch_alter_table("provider_link", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_provider_link_account_id_issuer"), ["account_id", "issuer"], unique=True)
        batch_op.create_index(batch_op.f("ix_provider_link_issuer_subject"), ["issuer", "subject"], unique=True)


def downgrade() -> None:
    op.drop_table("provider_link")
    op.drop_table("letter_link")
    op.drop_table("letter")
    # The column is dropped without Alembic's batch mode. On SQLite, batch mode drops and re-creates the table, which would
    # delete all rows in other tables that refer to an account.
    op.drop_column("account", "email_verified_at")
