"""Adds the tables of speed boards: boards, measurements and entries.

Revision: 0037, applied after 0036.
"""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None
IS_WAITING = sa.text("status = 'waiting'")
IS_RUNNING = sa.text("status = 'running'")
IS_LISTED = sa.text("shown AND NOT confirming")
IS_CONFIRMING = sa.text("confirming")


def upgrade() -> None:
    op.create_table(
        "speed_board",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("slug", sa.String(100), nullable=False),
        sa.Column("plan", sa.String(64), nullable=False),
        sa.Column("quantity", sa.String(8), nullable=False),
        sa.Column("cpu", sa.String(200), nullable=False),
        sa.Column("torch", sa.String(100), nullable=False),
        sa.Column("runner", sa.String(200), nullable=False),
        sa.Column("gflops", sa.Double(), nullable=False),
        sa.Column("gb_per_s", sa.Double(), nullable=False),
        sa.Column("noise", sa.Double(), nullable=False),
        sa.Column("node", sa.String(100), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("measured_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_speed_board"),
    )
    op.create_index(
        "ix_speed_board_slug_plan_cpu_torch_runner",
        "speed_board",
        ["slug", "plan", "cpu", "torch", "runner"],
        unique=True,
    )
    _create_measurements()
    _create_entries()


def _create_measurements() -> None:
    op.create_table(
        "measurement",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("account_id", sa.String(32), nullable=True),
        sa.Column("submission_id", sa.String(32), nullable=True),
        sa.Column("same_as_id", sa.String(32), nullable=True),
        sa.Column("slug", sa.String(100), nullable=False),
        sa.Column("plan", sa.String(64), nullable=False),
        sa.Column("role", sa.String(8), nullable=False),
        sa.Column("code", sa.String(64), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("rank_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(48), nullable=True),
        sa.Column("node", sa.String(100), nullable=True),
        sa.Column("pairs", sa.Integer(), nullable=False),
        sa.Column("half_width", sa.Double(), nullable=True),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("wanted_board_id", sa.String(32), nullable=True),
        sa.Column("board_id", sa.String(32), nullable=True),
        sa.Column("log_ratio", sa.Double(), nullable=True),
        sa.Column("std_error", sa.Double(), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("flag", sa.String(10), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("fault", sa.Text(), nullable=False),
        sa.Column("review", sa.String(10), nullable=False),
        sa.Column("review_reason", sa.Text(), nullable=False),
        sa.Column("reviewed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name="fk_measurement_account_id_account", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submission.id"], name="fk_measurement_submission_id_submission", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["same_as_id"], ["measurement.id"], name="fk_measurement_same_as_id_measurement", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["wanted_board_id"],
            ["speed_board.id"],
            name="fk_measurement_wanted_board_id_speed_board",
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["board_id"], ["speed_board.id"], name="fk_measurement_board_id_speed_board", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_measurement"),
    )
    for columns in (
        ["submission_id"],
        ["account_id", "slug", "code"],
        ["board_id", "account_id"],
        ["flag", "id"],
        ["same_as_id"],
        ["wanted_board_id"],
    ):
        op.create_index(f"ix_measurement_{'_'.join(columns)}", "measurement", columns, unique=False)
    op.create_index(
        "ix_measurement_queue", "measurement", ["rank_at", "id"], sqlite_where=IS_WAITING, postgresql_where=IS_WAITING
    )
    op.create_index(
        "ix_measurement_running", "measurement", ["token"], sqlite_where=IS_RUNNING, postgresql_where=IS_RUNNING
    )


def _create_entries() -> None:
    op.create_table(
        "speed_entry",
        sa.Column("board_id", sa.String(32), nullable=False),
        sa.Column("account_id", sa.String(32), nullable=False),
        sa.Column("measurement_id", sa.String(32), nullable=False),
        sa.Column("log_ratio", sa.Double(), nullable=False),
        sa.Column("std_error", sa.Double(), nullable=False),
        sa.Column("low", sa.Double(), nullable=False),
        sa.Column("high", sa.Double(), nullable=False),
        sa.Column("sessions", sa.Integer(), nullable=False),
        sa.Column("confirming", sa.Boolean(), nullable=False),
        sa.Column("shown", sa.Boolean(), nullable=False),
        sa.Column("measured_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["board_id"], ["speed_board.id"], name="fk_speed_entry_board_id_speed_board", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name="fk_speed_entry_account_id_account", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["measurement_id"], ["measurement.id"], name="fk_speed_entry_measurement_id_measurement", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("board_id", "account_id", name="pk_speed_entry"),
    )
    op.create_index("ix_speed_entry_account_id", "speed_entry", ["account_id"], unique=False)
    op.create_index("ix_speed_entry_measurement_id", "speed_entry", ["measurement_id"], unique=False)
    op.create_index(
        "ix_speed_entry_confirming",
        "speed_entry",
        ["board_id", "high"],
        sqlite_where=IS_CONFIRMING,
        postgresql_where=IS_CONFIRMING,
    )
    op.create_index(
        "ix_speed_entry_low", "speed_entry", ["board_id", "low"], sqlite_where=IS_LISTED, postgresql_where=IS_LISTED
    )
    op.create_index(
        "ix_speed_entry_high",
        "speed_entry",
        ["board_id", sa.text("high DESC"), "account_id"],
        sqlite_where=IS_LISTED,
        postgresql_where=IS_LISTED,
    )


def downgrade() -> None:
    op.drop_table("speed_entry")
    op.drop_table("measurement")
    op.drop_table("speed_board")
