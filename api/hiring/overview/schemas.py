"""Response bodies of the lists of assessments and invitations."""

from typing import Literal

from pydantic import BaseModel

from api.hiring.assessments.schemas import AssessmentCard
from api.hiring.invitations.schemas import InvitationView


class CandidateCounts(BaseModel):
    """How many candidates of an assessment were invited, are working on it now, have finished, and how many of those who have
    finished wait for a decision. A candidate who is working on a second attempt counts as both running and finished. Revoked
    invitations of candidates who have not started do not count.
    """

    invited: int = 0
    running: int = 0
    finished: int = 0
    undecided: int = 0


class ListedAssessment(AssessmentCard):
    """An assessment in the list of its team."""

    counts: CandidateCounts


class AssessmentPage(BaseModel):
    """One page of assessments, newest first; `next_cursor` is null on the last page."""

    items: list[ListedAssessment]
    next_cursor: str | None


class InvitationOutcome(BaseModel):
    """What became of an invitation: the candidate's last attempt. `score` is out of `points` and includes points that the team
    gave manually. It is not final while `unfinished` answers are not judged, or while
    reviewers have not graded texts that are worth `to_review` points.
    """

    participation_id: str
    state: Literal["running", "finished"]
    score: float
    points: int
    unfinished: int
    to_review: int


class ListedInvitation(InvitationView):
    """An invitation in the list of its assessment. `outcome` is null until the candidate starts."""

    outcome: InvitationOutcome | None


class InvitationPage(BaseModel):
    """One page of invitations, newest first; `next_cursor` is null on the last page. If `sends_mail` is false, this site sends
    no email, and the team must give the links to the candidates.
    """

    items: list[ListedInvitation]
    next_cursor: str | None
    sends_mail: bool
