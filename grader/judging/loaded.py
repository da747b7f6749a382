"""Reads the report that a cell sends after loading the answer.

The answer's code has already run and may have forged the report, so every field is checked.
"""

import msgspec

from grader.contract.job import CompileError, Verdict
from grader.contract.wire import Frame
from grader.judging.decide import Evidence, plain
from grader.judging.terminated import Terminated

MAX_TEXT = 2000


class Refusal(msgspec.Struct):
    """Why the cell rejected the source: it does not compile, uses a forbidden name, or does not define an entry."""

    verdict: str = "CE"
    message: str = "the source cannot be compiled"
    line: int | None = None
    column: int | None = None
    text: str = ""

    def outcome(self) -> tuple[Verdict, CompileError]:
        """Return the verdict (CE, or RV for a forbidden name), and the complaint: what is wrong, and where in the source."""
        verdict = Verdict.RV if self.verdict == "RV" else Verdict.CE
        text = plain(self.text[:200])
        return verdict, CompileError(plain(self.message[:MAX_TEXT]), _line(self.line), _line(self.column), text)


class LoadError(msgspec.Struct):
    """The exception that the source raised while it was loaded."""

    type: str = "Exception"
    text: str = "the answer could not be loaded"
    line: int | None = None
    trace: str = ""

    def outcome(self) -> tuple[Verdict, str]:
        """Return the verdict (RE or MLE), and the full text with the traceback. No hidden test has run yet, so the text cannot
        reveal one.
        """
        verdict = Verdict.MLE if self.type == "MemoryError" else Verdict.RE
        place = f"in line {self.line} of your code" if _line(self.line) else ""
        return verdict, f"{self.text[:MAX_TEXT]}\n{self.trace[:MAX_TEXT] or place}".strip()


class Loaded(msgspec.Struct):
    """The JSON part of a LOADED frame."""

    ok: bool = False
    refused: Refusal | None = None
    error: LoadError = msgspec.field(default_factory=LoadError)


def read_loaded(frame: Frame) -> Loaded:
    """Decode a LOADED frame. If it is malformed, or a field has another type than declared, return a failed load."""
    try:
        return msgspec.json.decode(bytes(frame.tree), type=Loaded)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return Loaded()


def record_load(evidence: Evidence, reply: Frame | Terminated) -> None:
    """Store the outcome of loading the answer in `evidence`."""
    if isinstance(reply, Terminated):
        evidence.load_verdict = reply.verdict
        evidence.message = f"while loading: {reply.message.removeprefix('a call ')}"
        return
    evidence.loaded = True
    loaded = read_loaded(reply)
    if loaded.refused is not None:
        evidence.load_verdict, evidence.compile_error = loaded.refused.outcome()
        evidence.message = evidence.compile_error.message
    elif not loaded.ok:
        evidence.load_verdict, evidence.message = loaded.error.outcome()


def not_text(source: str) -> str:
    """Return why a source cannot be encoded as UTF-8 and sent to a cell, or an empty string if it can."""
    try:
        source.encode()
    except UnicodeEncodeError as error:
        return f"the source is not text: half of a surrogate pair at character {error.start + 1:,}"
    return ""


def _line(value: int | None) -> int | None:
    return value if value is not None and 0 < value < 10_000_000 else None
