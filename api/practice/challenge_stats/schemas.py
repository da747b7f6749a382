"""Response bodies of figures about challenges."""

from typing import Literal

from pydantic import BaseModel


class ChallengeStats(BaseModel):
    """How people fare with a challenge. `submissions` counts the judged submissions, without runs of the samples, and `accepted`
    those of them that were accepted. `solvers` counts accounts, and `comments` the comments and replies in its discussion.
    """

    slug: str
    solvers: int
    submissions: int
    accepted: int
    comments: int


class ChallengeStatsList(BaseModel):
    """All challenges that somebody has submitted an answer to."""

    items: list[ChallengeStats]


class Comparison(BaseModel):
    """How an accepted answer compares with the accepted answers of other accounts. `compared` says with how many. The two
    `beats` are the share of them, from 0 to 1, that used more CPU time or memory; null if there are too few to compare with.
    `earned` is the number of points on the leaderboard that this submission earned, and `reason` says why it is 0.
    """

    compared: int
    beats_cpu: float | None
    beats_memory: float | None
    earned: int
    reason: Literal["solved_before", "editorial_open"] | None
