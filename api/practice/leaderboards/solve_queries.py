"""Queries for the solves that follow from judgings."""

import functools
from typing import Any

from sqlalchemy import BindParameter, CompoundSelect, Select, bindparam, exists, func, select
from sqlalchemy.orm import aliased

from api.judging.submissions.models import Judging, Submission
from api.practice.editorials.service import earns_points
from api.practice.leaderboards.models import Solve
from grader.contract.job import Kind, Verdict

SOLVES = Solve.metadata.tables["solve"]
# A query for pairs of account ID and challenge slug.
AccountChallenges = Select[str, str] | CompoundSelect[str, str]
IDS: BindParameter[list[str]] = bindparam("ids", expanding=True)
# The pairs of account and challenge of judgings with these IDs.
JUDGED: AccountChallenges = select(Judging.account_id, Judging.slug).where(Judging.id.in_(IDS)).distinct()
# The pairs of accounts with these IDs, and challenges that they have submitted an answer to or solved.
OF_ACCOUNTS: AccountChallenges = (
    select(Submission.account_id, Submission.slug)
    .where(Submission.kind == Kind.SUBMIT, Submission.account_id.in_(IDS))
    .union(select(Solve.account_id, Solve.slug).where(Solve.account_id.in_(IDS)))
)


# Building this query takes longer than running it.
@functools.cache
def first_accepted(selected: AccountChallenges) -> Any:
    """Return a query for the earliest accepted submission of each of the selected pairs of account and challenge. Its columns are
    named like those of `solve`, but `points` only says whether the submission earns points. `tries` counts the judged
    submissions up to and including the accepted one. `began_at` is when the account first sent anything for the challenge,
    even a run of the samples.
    """
    pairs = selected.subquery()
    later, sent, said = aliased(Judging), aliased(Submission), aliased(Judging)
    newer = exists().where(later.submission_id == Submission.id, later.number > Judging.number, _is_conclusive(later))
    whose = (Submission.account_id, Submission.slug)
    turn = func.row_number().over(partition_by=whose, order_by=(Submission.created_at, Submission.id))
    accepted = (
        select(*whose, Submission.id, Submission.created_at, earns_points().label("earns"), turn.label("turn"))
        .join(pairs, _same(Submission, pairs.c))
        .join(Judging, Judging.submission_id == Submission.id)
        .where(Submission.kind == Kind.SUBMIT, Judging.verdict == Verdict.AC, ~newer)
        .subquery()
    )
    first = accepted.c
    columns = (
        first.account_id,
        first.slug,
        first.id.label("submission_id"),
        first.earns.label("points"),
        first.created_at.label("solved_at"),
    )
    tries = func.count(sent.id.distinct()).filter(sent.kind == Kind.SUBMIT, said.id.is_not(None))
    return (
        select(*columns, tries.label("tries"), func.min(sent.created_at).label("began_at"))
        .join(sent, _same(sent, first) & (sent.id <= first.id))
        .outerjoin(said, (said.submission_id == sent.id) & _is_conclusive(said))
        .where(first.turn == 1)
        .group_by(first.account_id, first.slug, first.id, first.earns, first.created_at)
    )


def _same(one: Any, other: Any) -> Any:
    return (one.account_id == other.account_id) & (one.slug == other.slug)


def _is_conclusive(judging: Any) -> Any:
    return judging.verdict.is_not(None) & (judging.verdict != Verdict.JE)
