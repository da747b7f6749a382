"""Builds the part of a candidate's report about AI assistants."""

from collections.abc import Iterator, Mapping

from api.hiring.assistant.schemas import MessageView, Transcript
from api.hiring.results.pdf.block_formats import Block, heading, moment

FACTS = "Everything that the candidate asked, with the replies, in order. These are facts, not judgements."
DECLARED = "Sections of this assessment allowed an assistant of the candidate’s own. The candidate said about it:"
UNDECLARED = (
    "Sections of this assessment allowed an assistant of the candidate’s own. The candidate said nothing about it."
)
ENDS = {"cut": " (cut at its longest length)", "failed": " (not complete)", "running": " (still being written)"}


def talk(transcript: Transcript, titles: Mapping[int, str]) -> Iterator[Block]:
    """Yield what the candidate asked the assistant, and said about one of their own. `titles` are the items' by position."""
    if not transcript.messages and transcript.declaration is None:
        return
    yield heading("AI assistant")
    if transcript.declaration is not None:
        said = transcript.declaration.text
        yield {"kind": "text", "text": DECLARED if said else UNDECLARED}
        if said:
            yield {"kind": "note", "author": "The candidate", "text": said}
    if transcript.messages:
        count = len(transcript.messages)
        asked = f"{count} {'message' if count == 1 else 'messages'}, {transcript.tokens:,} tokens. {FACTS}"
        yield {"kind": "text", "text": asked}
    for message in transcript.messages:
        yield from _message(message, titles.get(message.position, str(message.position)))


def _message(message: MessageView, title: str) -> Iterator[Block]:
    yield {"kind": "note", "author": f"{moment(message.asked_at)}, {title}: asked", "text": message.question}
    reply = message.reply or message.failure or ""
    yield {"kind": "note", "author": f"{message.model}{ENDS.get(message.state, '')}", "text": reply}
