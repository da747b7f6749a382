"""Builds what is sent to the model: the public parts of the challenge, the candidate's code, the results that the candidate can
see, and the conversation so far. Hidden tests, reference solutions and editorials are never part of it: this module reads only
response bodies of candidates.
"""

from collections.abc import Sequence

from api.content.catalogue.schemas import ChallengeView
from api.hiring.assistant.models import AssistantMessage
from api.judging.intake.schemas import SubmissionView

Message = dict[str, str]
# The conversation is sent with every question. Of a long one, only the newest part is sent.
CONVERSATION_CHARACTERS = 24_000
RESULT_CHARACTERS = 4000
# A rough measure, for endpoints that do not count, and for the budget before the endpoint has counted.
BYTES_PER_TOKEN = 4
ROLE = """\
You assist a candidate in a programming assessment. The candidate solves the task below in Python with PyTorch and may use you
as they would use a coding assistant at work. You see the task, the candidate's present code and the results that the candidate
sees. You do not know the hidden tests. Answer briefly, in Markdown, and say so if you are not sure."""


def messages(
    challenge: ChallengeView,
    source: str,
    result: SubmissionView | None,
    earlier: Sequence[AssistantMessage],
    question: str,
) -> list[Message]:
    """Return the messages for the endpoint, oldest first."""
    talk: list[Message] = []
    room = CONVERSATION_CHARACTERS
    for row in reversed(earlier):
        room -= len(row.question) + len(row.reply)
        if room < 0:
            break
        talk += [{"role": "assistant", "content": row.reply}, {"role": "user", "content": row.question}]
    context = "\n\n".join([ROLE, *_task(challenge), _fenced("The candidate's code", source), *_result(result)])
    return [{"role": "system", "content": context}, *reversed(talk), {"role": "user", "content": question}]


def estimated_tokens(*texts: str) -> int:
    """Return roughly how many tokens the texts have."""
    return -(-sum(len(text.encode()) for text in texts) // BYTES_PER_TOKEN)


def _task(challenge: ChallengeView) -> list[str]:
    parts = [f"# Task: {challenge.title}\n\n{challenge.statement}"]
    parts += [_fenced("given.py, which the code can import", challenge.given)] if challenge.given else []
    parts += [_fenced(f"Sample test: {sample.title}", sample.source) for sample in challenge.samples]
    if names := [*challenge.forbidden.names, *challenge.forbidden.operators]:
        parts.append(f"The code must not use: {', '.join(names)}.")
    return parts


def _result(result: SubmissionView | None) -> list[str]:
    if result is None:
        return []
    what = "all tests" if result.kind == "submit" else "the sample tests"
    lines = [f"Verdict on {what}: {result.verdict}."]
    if result.compile_error:
        lines.append(f"It does not compile: {result.compile_error.message} (line {result.compile_error.line})")
    for test in result.tests:
        lines.append(f"- {test.title}: {test.verdict}. {test.message} {test.stdout}".strip())
    return [_fenced("The last results that the candidate sees", "\n".join(lines)[:RESULT_CHARACTERS])]


def _fenced(title: str, text: str) -> str:
    return f"# {title}\n\n~~~~\n{text}\n~~~~"
