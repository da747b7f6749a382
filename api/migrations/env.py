"""Alembic runs inside the connection that `api.db` hands over."""

from alembic import context

from api.accounts import models as _accounts
from api.assessments import models as _assessments
from api.audit import models as _audit
from api.db import Table
from api.invitations import models as _invitations
from api.judging import models as _judging
from api.letters import models as _letters
from api.participations import models as _participations
from api.quizzes import models as _quizzes
from api.rejudges import models as _rejudges
from api.reporting import models as _reporting
from api.reports import models as _reports
from api.submissions import models as _submissions
from api.teams import models as _teams

__all__ = [
    "_accounts",
    "_assessments",
    "_audit",
    "_invitations",
    "_judging",
    "_letters",
    "_participations",
    "_quizzes",
    "_rejudges",
    "_reporting",
    "_reports",
    "_submissions",
    "_teams",
]

context.configure(
    connection=context.config.attributes["connection"], target_metadata=Table.metadata, render_as_batch=True
)
with context.begin_transaction():
    context.run_migrations()
