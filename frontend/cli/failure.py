"""Defines how commands fail: with one sentence for the user, and with an exit code for scripts.

0 done, accepted · 1 judged, not accepted (or cancelled) · 2 wrong usage · 3 refused by the service, or no response ·
130 stopped with Ctrl+C
"""

NOT_ACCEPTED, USAGE, REFUSED, INTERRUPTED = 1, 2, 3, 130


class Failure(Exception):
    """Ends a command. `message` tells the user what happened and what to do; `exit_code` is the exit code of the program."""

    def __init__(self, message: str, *, exit_code: int = REFUSED, code: str = "") -> None:
        super().__init__(message)
        self.message, self.exit_code, self.code = message, exit_code, code


def misused(message: str) -> Failure:
    """Returns the failure for a user's mistake, such as a missing file or a wrong name."""
    return Failure(message, exit_code=USAGE)
