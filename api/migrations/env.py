"""Alembic runs inside the connection that `api.db` hands over."""

from alembic import context

from api.accounts import models as _accounts
from api.db import Table
from api.judging import models as _judging
from api.quizzes import models as _quizzes
from api.submissions import models as _submissions

__all__ = ["_accounts", "_judging", "_quizzes", "_submissions"]

context.configure(
    connection=context.config.attributes["connection"], target_metadata=Table.metadata, render_as_batch=True
)
with context.begin_transaction():
    context.run_migrations()
