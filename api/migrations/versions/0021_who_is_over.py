"""Changes the columns of the index on running participations, so that the service can quickly find those whose time is over.

Revision: 0021, applied after 0020.
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None
NAME, IS_RUNNING = "ix_participation_running", sa.text("finished_at IS NULL")


def upgrade() -> None:
    _instead(["assessment_id", "version", "started_at"])


def downgrade() -> None:
    _instead(["id"])


def _instead(columns: list[str]) -> None:
    op.drop_index(NAME, "participation")
    op.create_index(NAME, "participation", columns, sqlite_where=IS_RUNNING, postgresql_where=IS_RUNNING)
