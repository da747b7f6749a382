"""Builds the values from which the deadline of a participation is computed (see `deadlines`)."""

from datetime import datetime

from api.hiring.assessments.plan import Plan
from api.hiring.participations.deadlines import TimeAllowance
from api.hiring.participations.models import Participation


def allowance_of(row: Participation, plan: Plan) -> TimeAllowance:
    """Return the values from which a participation's deadline is computed."""
    return TimeAllowance(row.started_at, plan.minutes, closes_at(row, plan), row.extra_s, row.given_back_s)


def original_allowance(row: Participation, plan: Plan) -> TimeAllowance:
    """Return the values from which the deadline would be computed if no lost time had been given back."""
    return TimeAllowance(row.started_at, plan.minutes, closes_at(row, plan), row.extra_s)


def closes_at(row: Participation, plan: Plan) -> datetime | None:
    """Return the end of the window of this participation. A test drive has none, so it can be taken before and after it."""
    return None if row.is_test else plan.closes_at
