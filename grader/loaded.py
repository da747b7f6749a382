"""What a cell says about loading the answer. The answer has run by then and may have forged it: nothing is believed blindly."""

import msgspec

from grader.decide import plain
from grader.job import CompileError, Verdict
from grader.wire import Frame

MAX_TEXT = 2000


class Refusal(msgspec.Struct):
    """Why the cell did not run the source, or what it lacks."""

    verdict: str = "CE"
    message: str = "the source cannot be compiled"
    line: int | None = None
    column: int | None = None
    text: str = ""

    def outcome(self) -> tuple[Verdict, CompileError]:
        """CE, or RV for a forbidden name; and where."""
        verdict = Verdict.RV if self.verdict == "RV" else Verdict.CE
        text = plain(self.text[:200])
        return verdict, CompileError(plain(self.message[:MAX_TEXT]), _line(self.line), _line(self.column), text)


class Trouble(msgspec.Struct):
    """What the source raised while it ran."""

    type: str = "Exception"
    text: str = "the answer could not be loaded"
    line: int | None = None
    trace: str = ""

    def outcome(self) -> tuple[Verdict, str]:
        """RE, or MLE; and everything that was said: nothing hidden is in a cell that has only loaded."""
        verdict = Verdict.MLE if self.type == "MemoryError" else Verdict.RE
        place = f"in line {self.line} of your code" if _line(self.line) else ""
        return verdict, f"{self.text[:MAX_TEXT]}\n{self.trace[:MAX_TEXT] or place}".strip()


class Loaded(msgspec.Struct):
    """The tree of a LOADED frame."""

    ok: bool = False
    refused: Refusal | None = None
    error: Trouble = msgspec.field(default_factory=Trouble)


def read_loaded(frame: Frame) -> Loaded:
    """Garbage, and values of other types than these, count as a failed load."""
    try:
        return msgspec.json.decode(bytes(frame.tree), type=Loaded)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return Loaded()


def not_text(source: str) -> str:
    """Why a source cannot even be sent to a cell, or nothing."""
    try:
        source.encode()
    except UnicodeEncodeError as error:
        return f"the source is not text: half of a surrogate pair at character {error.start + 1:,}"
    return ""


def _line(value: int | None) -> int | None:
    return value if value is not None and 0 < value < 10_000_000 else None
