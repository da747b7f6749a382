"""Alembic runs inside the connection that `api.kit.db.database` hands over."""

from alembic import context

from api.kit.db.database import Table
from api.kit.db.tables import tables

# With nothing imported, a new migration would drop every table.
assert tables()

context.configure(
    connection=context.config.attributes["connection"], target_metadata=Table.metadata, render_as_batch=True
)
with context.begin_transaction():
    context.run_migrations()
