"""Adds live interviews: rooms, their shared documents, transcripts, notes and scores.

Revision: 0032, applied after 0031.
"""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def _id(name: str = "id", *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(32), nullable=nullable)


def _moment(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _key(table: str, column: str, target: str, ondelete: str = "CASCADE") -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_{column}_{target}"
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=name, ondelete=ondelete)


def upgrade() -> None:
    _rooms()
    _documents()
    _records()


def _rooms() -> None:
    op.create_table(
        "room",
        _id(),
        _id("team_id"),
        _id("account_id"),
        sa.Column("title", sa.String(120), nullable=False),
        sa.Column("minutes", sa.Integer(), nullable=False),
        sa.Column("call_url", sa.String(500), nullable=False),
        sa.Column("criteria", sa.Text(), nullable=False),
        sa.Column("candidate_hash", sa.String(64), nullable=False),
        sa.Column("observer_hash", sa.String(64), nullable=False),
        _id("created_by", nullable=True),
        _moment("created_at"),
        _moment("ended_at", nullable=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("extension", sa.Text(), nullable=False),
        _moment("timer_ends_at", nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("private_revision", sa.Integer(), nullable=False),
        _key("room", "team_id", "team"),
        _key("room", "account_id", "account"),
        _key("room", "created_by", "account", "SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_room"),
        sa.UniqueConstraint("candidate_hash", name="uq_room_candidate_hash"),
        sa.UniqueConstraint("observer_hash", name="uq_room_observer_hash"),
    )
    op.create_index("ix_room_team_id_id", "room", ["team_id", "id"])
    op.create_index("ix_room_created_by", "room", ["created_by"])
    op.create_index("ix_room_account_id", "room", ["account_id"], unique=True)
    op.create_table(
        "room_challenge",
        _id("room_id"),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(100), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        _moment("opened_at", nullable=True),
        _key("room_challenge", "room_id", "room"),
        sa.PrimaryKeyConstraint("room_id", "position", name="pk_room_challenge"),
    )
    op.create_table(
        "room_participant",
        _id(),
        _id("room_id"),
        sa.Column("role", sa.String(12), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        _id("member_id", nullable=True),
        sa.Column("key_hash", sa.String(64), nullable=True),
        _moment("joined_at"),
        _key("room_participant", "room_id", "room"),
        _key("room_participant", "member_id", "account", "SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_room_participant"),
        sa.UniqueConstraint("key_hash", name="uq_room_participant_key_hash"),
    )
    op.create_index("ix_room_participant_room_id_member_id", "room_participant", ["room_id", "member_id"], unique=True)
    op.create_index("ix_room_participant_member_id", "room_participant", ["member_id"])


def _documents() -> None:
    op.create_table(
        "room_update",
        _id("room_id"),
        sa.Column("sequence", sa.Integer(), nullable=False),
        _moment("at"),
        _id("author_id", nullable=True),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        _key("room_update", "room_id", "room"),
        _key("room_update", "author_id", "room_participant", "SET NULL"),
        sa.PrimaryKeyConstraint("room_id", "sequence", name="pk_room_update"),
    )
    op.create_index("ix_room_update_author_id", "room_update", ["author_id"])
    op.create_table(
        "room_snapshot",
        _id("room_id"),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        _key("room_snapshot", "room_id", "room"),
        sa.PrimaryKeyConstraint("room_id", name="pk_room_snapshot"),
    )


def _records() -> None:
    op.create_table(
        "room_event",
        _id(),
        _id("room_id"),
        _id("participant_id", nullable=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        _moment("at"),
        _key("room_event", "room_id", "room"),
        _key("room_event", "participant_id", "room_participant", "SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_room_event"),
    )
    op.create_index("ix_room_event_room_id_id", "room_event", ["room_id", "id"])
    op.create_index("ix_room_event_participant_id", "room_event", ["participant_id"])
    op.create_table(
        "room_note",
        _id(),
        _id("room_id"),
        _id("author_id", nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        _moment("at"),
        _key("room_note", "room_id", "room"),
        _key("room_note", "author_id", "account", "SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_room_note"),
    )
    op.create_index("ix_room_note_room_id_id", "room_note", ["room_id", "id"])
    op.create_index("ix_room_note_author_id", "room_note", ["author_id"])
    op.create_table(
        "room_score",
        _id(),
        _id("room_id"),
        sa.Column("criterion", sa.Integer(), nullable=False),
        _id("reviewer_id", nullable=True),
        sa.Column("level", sa.Integer(), nullable=False),
        _moment("given_at"),
        _key("room_score", "room_id", "room"),
        _key("room_score", "reviewer_id", "account", "SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_room_score"),
    )
    op.create_index(
        "ix_room_score_room_id_criterion_reviewer_id",
        "room_score",
        ["room_id", "criterion", "reviewer_id"],
        unique=True,
    )
    op.create_index("ix_room_score_reviewer_id", "room_score", ["reviewer_id"])


def downgrade() -> None:
    for table in ("score", "note", "event", "snapshot", "update", "participant", "challenge"):
        op.drop_table(f"room_{table}")
    op.drop_table("room")
