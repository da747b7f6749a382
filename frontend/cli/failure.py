"""How a command ends when it does not end well: one sentence for a person, one code for a script.

0 done, accepted · 1 judged, not accepted (or cancelled) · 2 used wrongly · 3 refused, or nobody answers · 130 left with Ctrl+C
"""

NOT_ACCEPTED, USAGE, REFUSED, INTERRUPTED = 1, 2, 3, 130


class Failure(Exception):
    """The message says what happened and what to do; `exit_code` is the program's."""

    def __init__(self, message: str, *, exit_code: int = REFUSED, code: str = "") -> None:
        super().__init__(message)
        self.message, self.exit_code, self.code = message, exit_code, code


def misused(message: str) -> Failure:
    """The caller's slip: a missing file, a wrong name."""
    return Failure(message, exit_code=USAGE)
