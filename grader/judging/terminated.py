"""The outcome when the candidate's process ends before its judging is over."""

from dataclasses import dataclass

from grader.contract.job import Verdict


@dataclass(frozen=True)
class Terminated:
    """Why the candidate's process ended, or was killed: the verdict, and a sentence for the candidate."""

    verdict: Verdict
    message: str
