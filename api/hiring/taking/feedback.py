"""Reduces what a candidate sees of a result to what the plan allows for the item. Results of sample tests are always complete."""

import re
from typing import Any

from api.hiring.participations.models import ParticipationItem
from api.hiring.participations.service import LoadedParticipation
from api.hiring.plans.plan import Feedback
from api.judging.intake.schemas import SubmissionCard, SubmissionView, TestView
from api.practice.quizzes.schemas import MarkView

# Messages of these verdicts are about the candidate's own code, or about us.
EXPLAINED = ("CE", "JE")


def card(shown: SubmissionCard, policy: Feedback) -> SubmissionCard:
    """Return a submission for a list. Points are hidden if only the verdict is shown."""
    return shown.model_copy(update={"score": 0, "max_score": 0}) if policy == "verdict" else shown


def submission(shown: SubmissionView, policy: Feedback) -> SubmissionView:
    """Return a submission with its results as far as the policy shows them."""
    if policy == "everything":
        return shown
    hidden: dict[str, Any] = {"tests": [], "output": "", "output_truncated": False}
    if shown.verdict not in EXPLAINED:
        hidden["message"] = ""
    if policy == "verdict":
        return shown.model_copy(update={**hidden, "score": 0, "max_score": 0})
    tests = [test if test.sample else _named(test) for test in shown.tests]
    return shown.model_copy(update={**hidden, "tests": tests})


def _named(test: TestView) -> TestView:
    """Return a hidden test with its name and outcome only. The title is left out: it says what to revise."""
    name = re.sub(r"[\[\]_]+", " ", test.id.rpartition("::")[2].removeprefix("test_")).strip()
    return test.model_copy(update={"title": name, "message": "", "line": None, "stdout": "", "exhibits": []})


def mark(run: LoadedParticipation, item: ParticipationItem, found: MarkView) -> MarkView | None:
    """Return a mark as far as the candidate may see it, or None while results are hidden. For a question of the team, only the
    policy `everything` shows the right answer and the reasons.
    """
    if not run.shows_verdicts:
        return None
    if item.kind != "question" or run.plan_of(item).feedback == "everything":
        return found
    return found.model_copy(update={"reasons": [], "key": None, "explanation": ""})
