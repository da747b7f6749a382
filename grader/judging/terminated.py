"""Describes why the candidate's process ended before its judging was over."""

from dataclasses import dataclass

from grader.contract.job import Verdict


@dataclass(frozen=True)
class Terminated:
    """Why the candidate's process ended or was killed: the verdict, and a sentence that the candidate reads."""

    verdict: Verdict
    message: str
